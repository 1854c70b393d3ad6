import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { whenIdle } from '../../components/later.tsx';
import { messages } from '../../lib/messages/index.ts';
import classes from './header.module.css';

const mac = navigator.platform.startsWith('Mac');
const fetchPalette = () => import('../palette/command-palette.tsx');
const CommandPalette = lazy(async () => ({ default: (await fetchPalette()).CommandPalette }));

/** Looks like a search field and opens the command palette, as Ctrl/Cmd+K does anywhere. */
export function SearchBox() {
  const [opened, setOpened] = useState<boolean>();
  // Fetched before it is asked for: what is typed right after the first Ctrl+K would go nowhere while it loads.
  useEffect(() => whenIdle(() => void fetchPalette()), []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      setOpened(true);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button type="button" className={classes.search} onClick={() => setOpened(true)}>
        <IconSearch size={16} stroke={1.6} aria-hidden />
        <span className={classes.searchText}>{messages.shell.searchPlaceholder}</span>
        <kbd className={classes.key}>{mac ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      {opened === undefined ? null : (
        <Suspense>
          <CommandPalette opened={opened} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  );
}
