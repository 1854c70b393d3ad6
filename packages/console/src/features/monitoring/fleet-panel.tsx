import type { Fleet, FleetMember } from '@portcullis/contract/fleet';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Moment, RelativeTime } from '../../components/moment.tsx';
import { Mono } from '../../components/mono.tsx';
import { Panel } from '../../components/panel.tsx';
import { useFewOnPhone } from '../../components/some-rows.tsx';
import { EmptyState, ErrorState, SkeletonRows, Stale } from '../../components/states.tsx';
import { formatBytes, formatCompact, formatCount, formatPercent } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { fleetQuery } from '../../lib/queries/index.ts';
import classes from './fleet-panel.module.css';

const words = messages.fleet;
const refreshMs = 5_000;
const timing = { refetchInterval: refreshMs, retry: 1, refetchOnWindowFocus: false } as const;

/** Every process of the product: what it runs, how it is, and what of it asks for attention. */
export function FleetPanel() {
  const fleet = useQuery({ ...fleetQuery, ...timing });
  // Another server may not tell of them.
  if (fleet.data === null) return null;
  return (
    <Panel title={words.title} note={fleet.data ? <Summary fleet={fleet.data} /> : null} flush>
      {fleet.data ? (
        <Stale since={fleet.isError ? fleet.dataUpdatedAt : undefined}>
          <Members fleet={fleet.data} />
        </Stale>
      ) : fleet.isError ? (
        <ErrorState title={words.unavailable} busy={fleet.isFetching} onRetry={() => void fleet.refetch()} />
      ) : (
        <SkeletonRows rows={3} label={messages.common.loading} />
      )}
    </Panel>
  );
}

function Summary({ fleet: { members } }: { fleet: Fleet }) {
  const services = members.filter(({ kind }) => kind === 'service').length;
  const warned = members.filter(({ warnings }) => warnings.length > 0).length;
  const summary = words.summary(services, members.length - services);
  return warned === 0 ? summary : `${summary} · ${words.attention(warned)}`;
}

function Members({ fleet: { members } }: { fleet: Fleet }) {
  if (members.length === 0) return <EmptyState title={words.none} text={words.noneText} />;
  // The order of the rest is the server's.
  const warned = members.filter(({ warnings }) => warnings.length > 0);
  const others = members.filter(({ warnings }) => warnings.length === 0);
  return <MemberTable members={[...warned, ...others]} />;
}

function MemberTable(props: { members: readonly FleetMember[] }) {
  const { shown, more } = useFewOnPhone(props.members);
  return (
    <div className={classes.fit}>
      <DataTable
        label={words.title}
        columns={columns}
        rows={shown}
        rowKey={({ kind, id }) => `${kind} ${id}`}
        dimmed={({ state }) => state === 'stopped'}
      />
      {more}
    </div>
  );
}

const columns: Column<FleetMember>[] = [
  { key: 'name', header: words.name, primary: true, cell: (member) => <Name member={member} /> },
  { key: 'version', header: words.version, cell: (member) => <Version member={member} /> },
  { key: 'configuration', header: words.configuration, cell: (member) => <Configuration member={member} /> },
  { key: 'load', header: words.load, align: 'end', cell: (member) => <Load member={member} /> },
  {
    key: 'process',
    header: words.process,
    align: 'end',
    cell: ({ state, cpuPercent, memoryBytes }) =>
      state === 'absent' ? (
        '–'
      ) : (
        <Pair figure={formatPercent(cpuPercent, 0)} detail={wholeMegabytes(memoryBytes)} />
      ),
  },
  { key: 'spool', header: words.spool, align: 'end', cell: (member) => <Waiting member={member} /> },
  {
    key: 'seen',
    header: words.lastSeen,
    align: 'end',
    cell: ({ state, lastSeen, clockOffsetMs }) => (
      <>
        {state === 'absent' ? <Moment at={lastSeen} part="time" /> : <RelativeTime at={lastSeen} />}
        {clockOffsetMs === undefined || state === 'absent' ? null : (
          <div className={classes.detail}>{words.clock(signedSeconds(clockOffsetMs))}</div>
        )}
      </>
    ),
  },
];

function Name({ member }: { member: FleetMember }) {
  const kind = words.kinds[member.kind];
  return (
    <div className={classes.name}>
      <div className={classes.line}>
        <Mono max={48}>{member.id}</Mono> <State member={member} />
      </div>
      <span className={classes.detail}>
        {member.host === undefined ? kind : words.onHost(kind, member.host)}
        {member.onDuty ? `, ${words.onDuty}` : null}
        {member.limits === 'alone' ? ` · ${words.aloneLimits}` : null}
      </span>
      {member.warnings.map(({ code, text }) => (
        <p key={`${code} ${text}`} className={classes.warning}>
          <IconAlertTriangle size={14} stroke={1.8} aria-hidden />
          <span>{text}</span>
        </p>
      ))}
    </div>
  );
}

function State({ member: { state, warnings } }: { member: FleetMember }) {
  const { states } = words;
  if (state === 'absent') return <Badge tone="danger">{states.absent}</Badge>;
  if (state === 'stopped') return <Badge tone="neutral">{states.stopped}</Badge>;
  if (warnings.length > 0) return <Badge tone="warning">{states.warned}</Badge>;
  return <Badge tone="ok">{states.well}</Badge>;
}

function Version({ member: { productVersion, linkVersion, warnings } }: { member: FleetMember }) {
  const differs = warnings.some(({ code }) => code === 'link');
  return differs ? <Pair figure={productVersion} detail={words.link(linkVersion)} /> : productVersion;
}

function Configuration({ member: { configVersion, behindBy } }: { member: FleetMember }) {
  const figure = configVersion === undefined ? words.noConfiguration : formatCount(configVersion);
  return behindBy === 0 || configVersion === undefined ? (
    figure
  ) : (
    <Pair figure={figure} detail={words.behind(behindBy)} />
  );
}

/** What a process said last is not how it is once it is gone. */
function Load({ member: { state, requestsPerSecond, activeConnections } }: { member: FleetMember }) {
  if (requestsPerSecond === undefined || state === 'absent') return '–';
  return (
    <Pair
      figure={words.rate(formatCompact(requestsPerSecond))}
      detail={words.connections(formatCompact(activeConnections ?? 0))}
    />
  );
}

function Waiting({ member: { spoolBytes, spoolOldestMs } }: { member: FleetMember }) {
  if (spoolBytes === undefined) return '–';
  if (spoolOldestMs === undefined) return formatBytes(spoolBytes);
  return <Pair figure={formatBytes(spoolBytes)} detail={words.waits(formatCount(spoolOldestMs / 1000))} />;
}

function Pair(props: { figure: string; detail: string }) {
  return (
    <>
      <div>{props.figure}</div>
      <div className={classes.detail}>{props.detail}</div>
    </>
  );
}

const wholeMegabytes = (bytes: number): string => `${formatCount(bytes / 1024 ** 2)} MB`;

/** A clock's difference: below a second it is none that anybody would mend. */
function signedSeconds(ms: number): string {
  if (Math.abs(ms) < 1000) return '±0';
  return `${ms > 0 ? '+' : '−'}${formatCount(Math.abs(ms) / 1000)}`;
}
