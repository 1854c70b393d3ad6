import type { EventFacets, Facet } from '@portcullis/contract/events';
import { cutMiddle } from '../../components/mono.tsx';
import { formatCompact } from '../../lib/format/index.ts';
import { categoryLabel } from '../../lib/messages/categories.ts';
import { messages } from '../../lib/messages/index.ts';
import classes from './history-facets.module.css';
import type { LogsSearch } from './search.ts';
import { useFacets } from './use-history.ts';

const words = messages.logs.history;
const valuesShown = 5;
const valueChars = 26;

interface Group {
  key: 'category' | 'rule' | 'ip' | 'path';
  values: (facets: EventFacets) => readonly Facet[];
}

const groups: Group[] = [
  { key: 'category', values: ({ categories }) => categories },
  { key: 'rule', values: ({ rules }) => rules },
  { key: 'ip', values: ({ addresses }) => addresses },
  { key: 'path', values: ({ paths }) => paths },
];

/** What is most frequent among the events that fit; a value narrows the search to itself. */
export function HistoryFacets(props: { search: LogsSearch; onChange: (search: LogsSearch) => void }) {
  const { search, onChange } = props;
  const facets = useFacets(search);
  if (!facets || facets.sampled === 0) return null;
  return (
    <section className={classes.facets} aria-label={words.facets}>
      {groups.map(({ key, values }) => {
        // What the gateway itself reports has no client.
        const shown = values(facets)
          .filter(({ value }) => value !== '')
          .slice(0, valuesShown);
        return shown.length === 0 || search[key] !== undefined ? null : (
          <div key={key} className={classes.group}>
            <h2 className={classes.heading}>{words.facetNames[key]}</h2>
            <ul className={classes.values}>
              {shown.map(({ value, count, name }) => (
                <li key={value}>
                  <button
                    type="button"
                    className={classes.value}
                    title={name === undefined ? value : `${name} (${value})`}
                    onClick={() => onChange({ ...search, [key]: value })}
                  >
                    <span className={classes.text}>
                      {key === 'category' ? categoryLabel(value) : (name ?? cutMiddle(value, valueChars))}
                    </span>
                    <span className={classes.count}>{formatCompact(count)}</span>
                  </button>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </section>
  );
}
