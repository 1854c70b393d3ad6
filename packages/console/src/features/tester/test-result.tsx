import { typedText, visibleText } from '@portcullis/contract/events';
import type { RuleTestOutcome } from '@portcullis/contract/protection';
import type { Tone } from '../../components/badge.tsx';
import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Figure, Figures } from '../../components/figures.tsx';
import { MatchCard } from '../../components/match-card.tsx';
import { Mono } from '../../components/mono.tsx';
import { Banner } from '../../components/states.tsx';
import { formatCount } from '../../lib/format/index.ts';
import { categoryLabel } from '../../lib/messages/categories.ts';
import { messages } from '../../lib/messages/index.ts';
import classes from './tester.module.css';

const words = messages.tester;
const tones: Record<RuleTestOutcome['decision'], Tone> = {
  pass: 'ok',
  block: 'danger',
  challenge: 'warning',
  log: 'info',
  redirect: 'info',
  allow: 'ok',
};

/** What was decided and why: score, matches, and every text that rules looked at. */
export function TestResult({ outcome }: { outcome: RuleTestOutcome }) {
  return (
    <div className={classes.result}>
      <div>
        <Badge tone={tones[outcome.decision]}>{words.decisions[outcome.decision]}</Badge>
      </div>
      <p className={classes.sentence}>{outcome.message}</p>
      {outcome.overBudget ? <Banner tone="warning">{words.overBudget}</Banner> : null}
      <Outcome outcome={outcome} />
      <h3 className={classes.heading}>{words.matches}</h3>
      {outcome.matches.length === 0 ? (
        <p className={classes.dim}>{words.noMatches}</p>
      ) : (
        outcome.matches.map((match) => (
          <MatchCard key={`${match.ruleId} ${match.target} ${match.span.join()}`} match={match} />
        ))
      )}
      <h3 className={classes.heading}>{words.looked}</h3>
      <Evaluations evaluations={outcome.evaluations} />
    </div>
  );
}

function Outcome({ outcome }: { outcome: RuleTestOutcome }) {
  const scores = Object.entries(outcome.scores).filter(([, score]) => score > 0);
  return (
    <Figures>
      <Figure label={words.score} value={formatCount(outcome.score)} />
      <Figure label={words.values} value={formatCount(outcome.valueCount)} />
      {outcome.reached ? (
        <Figure
          label={words.reached}
          value={words.reachedFrom(
            formatCount(outcome.reached.score),
            formatCount(outcome.reached.threshold),
          )}
        />
      ) : null}
      {scores.length > 0 ? (
        <Figure
          label={words.scores}
          value={scores.map(([name, score]) => `${categoryLabel(name)} ${formatCount(score)}`).join(', ')}
        />
      ) : null}
      {outcome.location === undefined ? null : <Figure label={words.redirectsTo} value={outcome.location} />}
      {outcome.oddities.length > 0 ? (
        <Figure label={words.oddities} value={outcome.oddities.join(', ')} />
      ) : null}
    </Figures>
  );
}

type Evaluation = RuleTestOutcome['evaluations'][number];

const columns: Column<Evaluation>[] = [
  {
    key: 'target',
    header: words.columns.target,
    primary: true,
    cell: (one) => (
      <>
        <Mono>{visibleText(typedText(one.target))}</Mono>
        {one.transformations.length > 0 ? (
          <div className={classes.dim}>{words.decoded(one.transformations.join(' → '))}</div>
        ) : null}
      </>
    ),
  },
  {
    key: 'value',
    header: words.columns.value,
    cell: (one) => (
      <span className={classes.value}>
        <Mono max={120}>{visibleText(typedText(one.value))}</Mono>
      </span>
    ),
  },
  {
    key: 'rules',
    header: words.columns.rules,
    align: 'end',
    cell: (one) => <span title={one.evaluated.join('\n')}>{formatCount(one.evaluated.length)}</span>,
  },
  {
    key: 'matched',
    header: words.columns.matched,
    cell: (one) =>
      one.matched.length === 0 ? (
        '–'
      ) : (
        <span className={classes.value}>
          <Mono>{one.matched.join(', ')}</Mono>
        </span>
      ),
  },
];

function Evaluations(props: { evaluations: readonly Evaluation[] }) {
  if (props.evaluations.length === 0) return <p className={classes.dim}>{words.nothingLooked}</p>;
  return (
    <div className={classes.table}>
      <DataTable
        label={words.looked}
        columns={columns}
        rows={props.evaluations}
        rowKey={(one) => `${one.target} ${one.transformations.join()} ${one.value}`}
      />
    </div>
  );
}
