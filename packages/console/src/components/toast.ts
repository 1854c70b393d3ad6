import { notifications } from '@mantine/notifications';

const successMs = 3_000;
const signInMs = 2_000;
const errorMs = 4_000;

/** The one way to say that something happened: top right, at most twenty, read out by screen readers. */
export const toast = {
  success: (message: string) => show(message, 'success', successMs),
  /** on the sign-in side a success stays two seconds */
  signIn: (message: string) => show(message, 'success', signInMs),
  error: (message: string) => show(message, 'error', errorMs),
};

function show(message: string, kind: 'success' | 'error', autoClose: number): void {
  notifications.show({
    message,
    autoClose,
    withBorder: true,
    role: kind === 'error' ? 'alert' : 'status',
    color: kind === 'error' ? 'red' : 'green',
    closeButtonProps: { 'aria-label': 'Dismiss' },
  });
}
