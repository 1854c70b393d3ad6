import { Button, Select, TextInput } from '@mantine/core';
import type { BuiltInRule } from '@portcullis/contract/protection';
import type { Site } from '@portcullis/contract/sites';
import { inspectedCategories } from '@portcullis/contract/vocabulary';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import { Badge } from '../../components/badge.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { DetailDrawer } from '../../components/detail-drawer.tsx';
import { Mono } from '../../components/mono.tsx';
import { useSomeRows } from '../../components/some-rows.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../components/states.tsx';
import { formatCount } from '../../lib/format/index.ts';
import { categoryLabel } from '../../lib/messages/categories.ts';
import { messages } from '../../lib/messages/index.ts';
import { builtInRulesQuery, siteLabel } from '../../lib/queries/index.ts';
import { answers, findBuiltIn, type Sought } from './built-in.ts';
import classes from './built-in-drawer.module.css';

const words = messages.protection.builtIn;
const { severities } = messages.protection.modal;

/**
 * The catalogue of what gateways judge by without being told, and what the site makes of it.
 * @param props.sought what to look for at first; undefined while closed
 */
export function BuiltInDrawer(props: {
  site: Site | undefined;
  sought: string | undefined;
  onClose: () => void;
}) {
  return (
    <DetailDrawer subject={props.sought} size={720} title={() => words.title} onClose={props.onClose}>
      {(sought) => <Catalogue key={sought} site={props.site} sought={sought} />}
    </DetailDrawer>
  );
}

function Catalogue(props: { site: Site | undefined; sought: string }) {
  const { site } = props;
  const rules = useQuery(builtInRulesQuery(site?.id));
  const [sought, setSought] = useState<Sought>({ text: props.sought });
  const settled = useDeferredValue(sought);
  const found = useMemo(() => findBuiltIn(rules.data ?? [], settled), [rules.data, settled]);
  return (
    <div className={classes.catalogue}>
      <p className={classes.purpose}>
        {words.purpose} {site ? words.onSite(siteLabel(site)) : null}
      </p>
      <Fields sought={sought} withState={site !== undefined} onChange={setSought} />
      {rules.data ? (
        <>
          <output className={classes.count}>
            {words.found(formatCount(found.length), formatCount(rules.data.length))}
          </output>
          {found.length === 0 ? (
            <EmptyState
              icon={IconSearch}
              title={words.nothing}
              text={words.nothingText}
              action={
                <Button size="xs" variant="light" onClick={() => setSought({ text: '' })}>
                  {words.clear}
                </Button>
              }
            />
          ) : (
            <Found rules={found} />
          )}
        </>
      ) : rules.isError ? (
        <ErrorState title={words.failed} busy={rules.isFetching} onRetry={() => void rules.refetch()} />
      ) : (
        <SkeletonRows rows={8} label={messages.common.loading} />
      )}
    </div>
  );
}

function Fields(props: { sought: Sought; withState: boolean; onChange: (sought: Sought) => void }) {
  const { sought, onChange } = props;
  return (
    <search className={classes.fields}>
      <TextInput
        className={classes.text}
        label={words.search}
        placeholder={words.searchPlaceholder}
        leftSection={<IconSearch size={15} />}
        spellCheck={false}
        data-autofocus
        value={sought.text}
        onChange={(event) => onChange({ ...sought, text: event.currentTarget.value })}
      />
      <Select
        label={words.category}
        placeholder={words.allCategories}
        clearable
        data={[
          ...inspectedCategories.map((value) => ({ value, label: categoryLabel(value) })),
          { value: answers, label: words.answers },
        ]}
        value={sought.category ?? null}
        onChange={(category) => onChange({ ...sought, category })}
      />
      {props.withState ? (
        <Select
          label={words.state}
          data={(['any', 'counts', 'idle'] as const).map((value) => ({ value, label: words.states[value] }))}
          value={sought.state ?? 'any'}
          onChange={(value) =>
            onChange({ ...sought, state: value === 'counts' || value === 'idle' ? value : undefined })
          }
        />
      ) : null}
    </search>
  );
}

function Found(props: { rules: readonly BuiltInRule[] }) {
  const { shown, foot } = useSomeRows(props.rules);
  return (
    <>
      <ul className={classes.rules} aria-label={words.list}>
        {shown.map((rule) => (
          <Entry key={rule.id} rule={rule} />
        ))}
      </ul>
      {foot}
    </>
  );
}

function Entry({ rule }: { rule: BuiltInRule }) {
  return (
    <li className={classes.rule}>
      <div className={classes.head}>
        <span className={classes.id}>
          <Mono>{rule.id}</Mono>
          <CopyButton text={rule.id} what={words.copied} />
        </span>
        <OnSite site={rule.site} />
      </div>
      <div>{rule.description}</div>
      <div className={classes.facts}>{factsOf(rule).join(' · ')}</div>
    </li>
  );
}

function OnSite({ site }: { site: BuiltInRule['site'] }) {
  if (site === undefined) return null;
  const { idle, mode, exceptions } = site;
  return (
    <span className={classes.states}>
      {idle === undefined && exceptions > 0 ? (
        <Badge tone="neutral">{words.exceptions(exceptions)}</Badge>
      ) : null}
      {idle !== undefined ? (
        <Badge tone={idle === 'exception' ? 'warning' : 'neutral'}>{words.idle[idle]}</Badge>
      ) : mode !== undefined ? (
        <Badge tone="ok">{words.modes[mode]}</Badge>
      ) : null}
    </span>
  );
}

function factsOf({ category, severity, sensitivity, score, parts }: BuiltInRule): string[] {
  return [
    category === undefined ? words.answers : categoryLabel(category),
    severities[severity],
    ...(sensitivity === undefined ? [] : [words.from[sensitivity]]),
    ...(score === undefined ? [] : [words.score(score)]),
    ...(parts.length === 0 ? [] : [words.looksAt(parts.join(', '))]),
  ];
}
