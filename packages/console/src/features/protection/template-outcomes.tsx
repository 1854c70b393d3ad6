import { useQuery } from '@tanstack/react-query';
import { Badge, type Tone } from '../../components/badge.tsx';
import { messages } from '../../lib/messages/index.ts';
import { siteLabel, sitesQuery } from '../../lib/queries/index.ts';
import type { Outcome } from './apply-templates.ts';
import classes from './template-list.module.css';

const words = messages.protection.modal;
const tones: Record<Outcome['state'], Tone> = {
  waiting: 'neutral',
  applied: 'ok',
  nothing: 'neutral',
  failed: 'danger',
};

/** What became of the templates on each of several sites. */
export function TemplateOutcomes(props: { outcomes: readonly Outcome[] }) {
  const sites = useQuery(sitesQuery).data ?? [];
  const nameOf = (siteId: string) => siteLabel(sites.find(({ id }) => id === siteId) ?? {}) || siteId;
  return (
    <ul className={classes.outcomes} aria-label={words.outcomes} aria-live="polite">
      {props.outcomes.map((outcome) => (
        <li key={outcome.siteId} className={classes.template}>
          <div className={classes.check}>
            <div>{nameOf(outcome.siteId)}</div>
            {outcome.reason ? <div className={classes.reason}>{outcome.reason}</div> : null}
          </div>
          <Badge tone={tones[outcome.state]}>
            {outcome.state === 'applied'
              ? words.rulesAdded(outcome.count ?? 0)
              : words.outcomeStates[outcome.state]}
          </Badge>
        </li>
      ))}
    </ul>
  );
}
