import { useBlocker } from '@tanstack/react-router';
import { messages } from '../lib/messages/index.ts';
import { useConfirm } from './confirm.tsx';

/** Asks before a page with unsaved changes is left, by a link, the back button or the tab's close. */
export function useUnsavedGuard(dirty: boolean): void {
  const confirm = useConfirm();
  const words = messages.common;
  useBlocker({
    disabled: !dirty,
    enableBeforeUnload: () => dirty,
    shouldBlockFn: async () =>
      !(await confirm({
        title: words.unsavedTitle,
        text: words.unsavedText,
        confirm: words.discard,
        cancel: words.keepEditing,
        destructive: true,
      })),
  });
}
