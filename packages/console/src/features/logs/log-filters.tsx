import { Button, Select, TextInput } from '@mantine/core';
import type { Site } from '@portcullis/contract/sites';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { messages } from '../../lib/messages/index.ts';
import { siteLabel } from '../../lib/queries/index.ts';
import { decisionIn, decisionOptions, withDecision } from './decision-filter.ts';
import classes from './log-filters.module.css';
import type { LogsSearch } from './search.ts';

const words = messages.logs;
const all = 'all';
const levels = ['error', 'warning', 'info', 'debug'] as const;
/** what is left when the plain passes, which a busy site has thousands of, do not fill the list */
const withoutDebug = 'error,warning,info';

/** What is shown of the stream: text, level, site. The address holds it, so that a view can be shared. */
export function LogFilters(props: {
  search: LogsSearch;
  sites: Site[];
  onChange: (search: LogsSearch) => void;
}) {
  const { search, sites, onChange } = props;
  const [open, setOpen] = useState(false);
  const set = (key: 'q' | 'level' | 'site', value: string | null) => {
    const { [key]: _before, ...rest } = search;
    onChange(value === null || value === '' || value === all ? rest : { ...rest, [key]: value });
  };
  const { view, range: _range, ...given } = search;
  return (
    <search className={classes.filters} aria-label={words.filters} data-open={open || undefined}>
      <TextInput
        label={words.search}
        placeholder={words.searchPlaceholder}
        leftSection={<IconSearch size={15} />}
        value={search.q ?? ''}
        onChange={(event) => set('q', event.currentTarget.value)}
      />
      <Button
        className={classes.toggle}
        variant="default"
        size="xs"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {words.filters}
      </Button>
      <Select
        className={classes.further}
        label={words.level}
        data={levelOptions(search.level)}
        value={search.level ?? all}
        onChange={(value) => set('level', value)}
      />
      <Select
        className={classes.further}
        label={words.site}
        searchable={sites.length > 8}
        data={siteOptions(sites)}
        value={search.site ?? all}
        onChange={(value) => set('site', value)}
      />
      {view === 'history' ? <Decision search={search} onChange={onChange} /> : null}
      <Button
        variant="subtle"
        size="xs"
        className={classes.further}
        disabled={Object.keys(given).length === 0}
        onClick={() => onChange(view ? { view } : {})}
      >
        {words.clearFilters}
      </Button>
    </search>
  );
}

/** What was decided, or on a site that is only watched would have been; of what is stored. */
function Decision(props: { search: LogsSearch; onChange: (search: LogsSearch) => void }) {
  const { search, onChange } = props;
  return (
    <Select
      className={classes.further}
      label={words.decision}
      data={decisionOptions(search)}
      value={decisionIn(search)}
      onChange={(value) => onChange(withDecision(search, value ?? all))}
    />
  );
}

const siteOptions = (sites: readonly Site[]) => [
  { value: all, label: words.allSites },
  ...sites.map((site) => ({ value: site.id, label: siteLabel(site) })),
];

/** The levels, with the list of several that a link may have brought. */
const levelOptions = (chosen: string | undefined) => [
  { value: all, label: words.levels.all },
  ...levels.map((value) => ({ value, label: words.levels[value] })),
  { value: withoutDebug, label: words.withoutDebug },
  ...(chosen?.includes(',') && chosen !== withoutDebug ? [{ value: chosen, label: several(chosen) }] : []),
];

const several = (list: string): string =>
  list
    .split(',')
    .map((level) => words.levels[level as (typeof levels)[number]] ?? level)
    .join(', ');
