import type { ConfigurationDifference } from '@portcullis/contract/configuration';
import { useQuery } from '@tanstack/react-query';
import type { Tone } from '../../components/badge.tsx';
import { Badge } from '../../components/badge.tsx';
import { formatCount } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { sitesQuery } from '../../lib/queries/index.ts';
import classes from './change-list.module.css';
import type { Difference } from './differences.ts';
import { differences } from './differences.ts';
import { fieldLabel } from './field-label.ts';

const words = messages.configuration.detail;
const tones: Record<ConfigurationDifference['change'], Tone> = {
  created: 'ok',
  updated: 'info',
  deleted: 'warning',
};

/** Each thing that changed, with its values before and after side by side. */
export function ChangeList(props: { changes: readonly ConfigurationDifference[] }) {
  if (props.changes.length === 0) return <p className={classes.none}>{words.noValues}</p>;
  return props.changes.map((change) => <Change key={`${change.kind} ${change.id}`} change={change} />);
}

function Change(props: { change: ConfigurationDifference }) {
  const { change, kind, name, id, before, after, long = {} } = props.change;
  const differing = differences(before, after);
  return (
    <section className={classes.change}>
      <h3 className={classes.head}>
        <Badge tone={tones[change]} icon={false}>
          {words.change[change]}
        </Badge>
        <span className={classes.kind}>{words.kinds[kind] ?? kind}</span>
        <span className={classes.name}>{name || id}</span>
      </h3>
      {differing.length === 0 ? (
        <p className={classes.none}>{words.same}</p>
      ) : (
        <table className={classes.table} aria-label={words.values(name || id)}>
          <thead>
            <tr>
              <th scope="col">{words.field}</th>
              {change === 'created' ? null : <th scope="col">{words.before}</th>}
              {change === 'deleted' ? null : <th scope="col">{words.after}</th>}
            </tr>
          </thead>
          <tbody>
            {differing.map((one) => (
              <Row key={one.path} difference={one} change={change} />
            ))}
          </tbody>
        </table>
      )}
      {Object.entries(long).map(([field, one]) => (
        <p key={field} className={classes.none}>
          {words.long(
            fieldLabel(field),
            formatCount(one.removed),
            formatCount(one.added),
            formatCount(one.after),
          )}
        </p>
      ))}
    </section>
  );
}

function Row(props: { difference: Difference; change: ConfigurationDifference['change'] }) {
  const { path } = props.difference;
  const names = useSiteNames(path);
  const [before, after] = [names(props.difference.before), names(props.difference.after)];
  return (
    <tr>
      <th scope="row" title={path}>
        {fieldLabel(path)}
      </th>
      {props.change === 'created' ? null : (
        <td data-side="before" data-label={words.before}>
          {before === undefined ? <Absent /> : <del>{before}</del>}
        </td>
      )}
      {props.change === 'deleted' ? null : (
        <td data-side="after" data-label={words.after}>
          {after === undefined ? <Absent /> : <ins>{after}</ins>}
        </td>
      )}
    </tr>
  );
}

/** @returns what puts the name of a site in the place of its id, where a field holds one */
function useSiteNames(path: string): (value: string | undefined) => string | undefined {
  const isSite = path.split('.').at(-1) === 'siteId';
  const { data = [] } = useQuery({ ...sitesQuery, enabled: isSite });
  return (value) => (isSite && data.find(({ id }) => id === value)?.name) || value;
}

const Absent = () => <span className={classes.absent}>–</span>;
