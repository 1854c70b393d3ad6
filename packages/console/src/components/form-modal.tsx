import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { messages } from '../lib/messages/index.ts';
import { useConfirm } from './confirm.tsx';
import { FocusBack } from './focus-back.tsx';
import classes from './form-modal.module.css';
import { useUnsavedGuard } from './unsaved-guard.ts';

/**
 * A form in a dialog: the button shows it is busy and cannot be pressed twice, closing with unsaved changes
 * asks first, focus goes back where it came from.
 */
export function FormModal(props: {
  opened: boolean;
  title: string;
  submit: string;
  /** the button's words while busy */
  busyLabel?: string;
  busy: boolean;
  dirty: boolean;
  size?: number | string;
  /** beside the buttons, such as Delete */
  aside?: ReactNode;
  submitDisabled?: boolean;
  /** its fields are yet to come; the first of them gets the focus then */
  loading?: boolean;
  onClose: () => void;
  onSubmit: () => void;
  children: ReactNode;
}) {
  const { busy, loading = false, submitDisabled = false } = props;
  const mayLeave = useLeaveQuestion(props.dirty);
  useUnsavedGuard(props.opened && props.dirty, 'screen');
  const close = async () => {
    if (!busy && (await mayLeave())) props.onClose();
  };
  return (
    <Modal
      opened={props.opened}
      onClose={() => void close()}
      title={props.title}
      size={props.size ?? 560}
      lockScroll={false}
      trapFocus={!loading}
      closeButtonProps={{ 'aria-label': messages.common.close }}
      classNames={{ body: classes.modalBody, content: classes.content, header: classes.header }}
    >
      <FocusBack />
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          if (!busy) props.onSubmit();
        }}
      >
        <div className={classes.fields}>{props.children}</div>
        <div className={classes.actions}>
          <div className={classes.aside}>{props.aside}</div>
          <Button variant="default" onClick={() => void close()} disabled={busy}>
            {messages.common.cancel}
          </Button>
          <Button type="submit" aria-busy={busy} disabled={busy || loading || submitDisabled}>
            {busy ? (props.busyLabel ?? props.submit) : props.submit}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

/** @returns a function that answers whether the form may be left: at once when clean, else after asking */
function useLeaveQuestion(dirty: boolean): () => Promise<boolean> {
  const confirm = useConfirm();
  const words = messages.common;
  return async () =>
    !dirty ||
    confirm({
      title: words.unsavedTitle,
      text: words.unsavedText,
      confirm: words.discard,
      cancel: words.keepEditing,
      destructive: true,
    });
}
