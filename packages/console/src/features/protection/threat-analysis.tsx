import { withheldDecisions } from '@portcullis/contract/events';
import type { Site } from '@portcullis/contract/sites';
import { useQuery } from '@tanstack/react-query';
import { Badge } from '../../components/badge.tsx';
import { Panel } from '../../components/panel.tsx';
import { Allowed } from '../../components/permission-gate.tsx';
import { QuietLink } from '../../components/quiet-link.tsx';
import { ErrorState, SkeletonRows, Stale } from '../../components/states.tsx';
import { formatCount } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { threatsQuery } from '../../lib/queries/index.ts';
import classes from './threat-analysis.module.css';
import { groupThreats } from './threat-groups.ts';

const words = messages.protection;
const refreshMs = 30_000;

/** What was detected and blocked, in five groups. */
export function ThreatAnalysis(props: { site: Site }) {
  const { site } = props;
  const threats = useQuery({ ...threatsQuery(site.id), refetchInterval: refreshMs });
  return (
    <Panel title={words.threats} note={site.watch_only ? <Withheld siteId={site.id} /> : undefined} flush>
      {threats.data ? (
        <Stale since={threats.isError ? threats.dataUpdatedAt : undefined}>
          <ul className={classes.list}>
            {groupThreats(threats.data).map(({ group, detected, blocked }) => (
              <li key={group} className={classes.card}>
                <div>
                  <div className={classes.name}>{words.threatGroups[group]}</div>
                  <div className={classes.figures}>
                    {words.detected} {formatCount(detected)} · {words.blocked} {formatCount(blocked)}
                  </div>
                </div>
                {detected > 0 ? (
                  <Badge tone="ok">{words.protected}</Badge>
                ) : (
                  <Badge tone="neutral">{words.monitoring}</Badge>
                )}
              </li>
            ))}
          </ul>
        </Stale>
      ) : threats.isError ? (
        <ErrorState
          title={words.threatsFailed}
          busy={threats.isFetching}
          onRetry={() => void threats.refetch()}
        />
      ) : (
        <SkeletonRows rows={5} label={messages.common.loading} />
      )}
    </Panel>
  );
}

/** To what a site that is only watched would have done. */
function Withheld(props: { siteId: string }) {
  return (
    <Allowed anyOf={['audit:view']}>
      <QuietLink
        to="/logs"
        search={{ view: 'history', site: props.siteId, would: withheldDecisions.join(',') }}
      >
        {words.wouldHave}
      </QuietLink>
    </Allowed>
  );
}
