import { IconSearch } from '@tabler/icons-react';
import { messages } from '../../lib/messages/index.ts';
import classes from './header.module.css';

const mac = navigator.platform.startsWith('Mac');

/** Looks like a search field and opens the command palette. */
export function SearchBox() {
  return (
    <button type="button" className={classes.search}>
      <IconSearch size={16} stroke={1.6} aria-hidden />
      <span className={classes.searchText}>{messages.shell.searchPlaceholder}</span>
      <kbd className={classes.key}>{mac ? '⌘K' : 'Ctrl K'}</kbd>
    </button>
  );
}
