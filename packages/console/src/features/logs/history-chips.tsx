import { IconX } from '@tabler/icons-react';
import { useTimeFormat } from '../../lib/format/index.ts';
import { categoryLabel } from '../../lib/messages/categories.ts';
import { messages } from '../../lib/messages/index.ts';
import classes from './history-chips.module.css';
import type { ChipKey, LogsSearch } from './search.ts';
import { chipKeys } from './search.ts';

const words = messages.logs.history;

/** The filters that stand in the address and in no field: what each says, and the way to take it off. */
export function HistoryChips(props: { search: LogsSearch; onChange: (search: LogsSearch) => void }) {
  const { search, onChange } = props;
  const format = useTimeFormat();
  const shown = chipKeys.flatMap((key) => {
    const value = search[key];
    return value === undefined ? [] : [{ key, text: wordsOf(key, value, format.dateTime) }];
  });
  if (shown.length === 0) return null;
  return (
    <ul className={classes.chips} aria-label={words.chips}>
      {shown.map(({ key, text }) => (
        <li key={key} className={classes.chip}>
          <span className={classes.name}>{words.keys[key]}</span>
          <span className={classes.text} title={text}>
            {text}
          </span>
          <button
            type="button"
            className={classes.remove}
            aria-label={messages.common.remove(`${words.keys[key]} ${text}`)}
            onClick={() => {
              const { [key]: _gone, ...rest } = search;
              onChange(rest);
            }}
          >
            <IconX size={13} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  );
}

function wordsOf(key: ChipKey, value: string, moment: (text: string) => string): string {
  if (key === 'from' || key === 'to') return moment(value);
  return key === 'category' ? value.split(',').map(categoryLabel).join(', ') : value.split(',').join(', ');
}
