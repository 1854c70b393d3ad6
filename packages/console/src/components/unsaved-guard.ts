import { useBlocker } from '@tanstack/react-router';
import { messages } from '../lib/messages/index.ts';
import { readToken } from '../lib/session/index.ts';
import { useConfirm } from './confirm.tsx';

/**
 * Asks before unsaved changes are left, by a link, the back button or the tab's close. A session that ended asks
 * nothing, for there is nothing left to go on with.
 * @param within `page`: another section of the screen leaves the form too; `screen`: only another screen does
 */
export function useUnsavedGuard(dirty: boolean, within: 'page' | 'screen' = 'page'): void {
  const confirm = useConfirm();
  const words = messages.common;
  useBlocker({
    disabled: !dirty,
    enableBeforeUnload: () => dirty,
    shouldBlockFn: async ({ current, next }) => {
      if (readToken() === null) return false;
      if (within === 'screen' && current.pathname === next.pathname) return false;
      return !(await confirm({
        title: words.unsavedTitle,
        text: words.unsavedText,
        confirm: words.discard,
        cancel: words.keepEditing,
        destructive: true,
      }));
    },
  });
}
