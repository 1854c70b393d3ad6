import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useCallback, useEffect, useLayoutEffect, useState } from 'react';
import { whenIdle } from '../../components/later.tsx';
import { messages } from '../../lib/messages/index.ts';
import classes from './header.module.css';

const mac = navigator.platform.startsWith('Mac');
const fetchPalette = () => import('../palette/command-palette.tsx');
const CommandPalette = lazy(async () => ({ default: (await fetchPalette()).CommandPalette }));

/** Looks like a search field and opens the command palette, as Ctrl/Cmd+K does anywhere. */
export function SearchBox() {
  const [opened, setOpened] = useState<boolean>();
  const [text, setText] = useState('');
  const open = useCallback(() => {
    if (!opened) setText('');
    setOpened(true);
  }, [opened]);
  useTypedAhead(opened === true, setText);
  // Fetched before it is asked for, so that it opens at once.
  useEffect(() => whenIdle(() => void fetchPalette()), []);
  // With the first picture, not after it: who sees the box may press the key.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      open();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [open]);
  return (
    <>
      <button type="button" className={classes.search} onClick={open}>
        <IconSearch size={16} stroke={1.6} aria-hidden />
        <span className={classes.searchText}>{messages.shell.searchPlaceholder}</span>
        <kbd className={classes.key}>{mac ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      {opened === undefined ? null : (
        <Suspense>
          <CommandPalette opened={opened} text={text} onText={setText} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  );
}

/** What is typed between opening the palette and the focus reaching its field is for the palette too. */
function useTypedAhead(opened: boolean, change: (next: (text: string) => string) => void): void {
  useLayoutEffect(() => {
    if (!opened) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (document.activeElement?.hasAttribute('data-palette')) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key.length === 1) change((text) => text + event.key);
      else if (event.key === 'Backspace') change((text) => text.slice(0, -1));
      else return;
      // Neither the field that had the focus nor the browser's own keys get it.
      event.preventDefault();
      event.stopPropagation();
    };
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, [opened, change]);
}
