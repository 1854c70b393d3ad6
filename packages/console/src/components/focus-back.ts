import { useEffect, useRef } from 'react';

/**
 * Remembers what had the focus when a dialog opened. Mantine's own way loses it where a question was asked on
 * the way out, for then the question's button had it last.
 * @returns gives the focus back; for when the dialog is gone
 */
export function useFocusBack(opened: boolean): () => void {
  const opener = useRef<HTMLElement | null>(null);
  useEffect(() => {
    const { activeElement } = document;
    if (opened && activeElement instanceof HTMLElement) opener.current = activeElement;
  }, [opened]);
  return () => {
    // In the next frame, when the dialog has left the page and its focus with it.
    requestAnimationFrame(() => {
      const lost = document.activeElement === null || document.activeElement === document.body;
      if (lost) opener.current?.focus({ preventScroll: true });
    });
  };
}
