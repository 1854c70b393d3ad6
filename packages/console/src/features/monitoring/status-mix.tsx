import type { TrafficBreakdown } from '@portcullis/contract/monitoring';
import { Link } from '@tanstack/react-router';
import type { RankedRow } from '../../components/charts/ranked-bars.tsx';
import { RankedBars } from '../../components/charts/ranked-bars.tsx';
import { formatCount, formatPercent } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { usePermission } from '../../lib/session/index.ts';
import classes from './status-mix.module.css';

const words = messages.monitoring;
const shown = ['2xx', '3xx', '4xx', '5xx'] as const;
const tones = { '2xx': 'ok', '3xx': 'requests', '4xx': 'challenged', '5xx': 'blocked' } as const;

/** Responses by class of their status; each class leads to the events that were answered so. */
export function StatusMix(props: { figures: TrafficBreakdown }) {
  const { statuses, from } = props.figures;
  const mayRead = usePermission('audit:view');
  const total = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const rows = shown.map(
    (status): RankedRow => ({
      key: status,
      value: statuses[status],
      tone: tones[status],
      label: mayRead ? (
        <Link to="/logs" search={{ view: 'history', status, from }} className={classes.link}>
          {words.statusClasses[status]}
        </Link>
      ) : (
        words.statusClasses[status]
      ),
    }),
  );
  const share = (count: number) => (total === 0 ? '' : ` · ${formatPercent((count / total) * 100, 1)}`);
  return (
    <RankedBars
      label={words.statusMix}
      across
      rows={rows}
      formatValue={(count) => `${formatCount(count)}${share(count)}`}
    />
  );
}
