import { useLayoutEffect } from 'react';

/**
 * Stands first in a dialog; remembers what had the focus when the dialog came and gives it back when it is gone.
 * Mantine's own way loses it where a question was asked on the way out, for then the question's button had it last,
 * and where a dialog was open from its first moment.
 */
export function FocusBack() {
  useLayoutEffect(() => {
    const opener = document.activeElement;
    return () =>
      // Right after the commit that takes the dialog, and its focus with it, off the page.
      queueMicrotask(() => {
        const lost = document.activeElement === null || document.activeElement === document.body;
        if (lost && opener instanceof HTMLElement) opener.focus({ preventScroll: true });
      });
  }, []);
  return null;
}
