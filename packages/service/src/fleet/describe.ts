import {
  type Fleet,
  type FleetMember,
  type FleetWarning,
  type FleetWarningCode,
  fleetLimits,
} from '@portcullis/contract/fleet';
import { linkMismatch } from '@portcullis/contract/link';
import { type FleetRecord, recent } from './record.ts';

/** From where the fleet is looked at. Times are Unix milliseconds on the clock that all services share. */
export interface Outlook {
  readonly now: number;
  /** newest version of the configuration */
  readonly newest: number;
  /** since when words arrive here without a break; undefined while they do not: then nobody is called absent */
  readonly hearingSince: number | undefined;
}

/** @returns undefined for one that is to be forgotten */
function stateOf(record: FleetRecord, { now, hearingSince }: Outlook): FleetMember['state'] | undefined {
  const silentMs = now - record.seenAt;
  if (record.leaving) return silentMs > fleetLimits.stoppedForgottenMs ? undefined : 'stopped';
  if (silentMs > fleetLimits.absentForgottenMs) return undefined;
  if (hearingSince === undefined) return 'present';
  // Who has just begun to listen has missed what was said before.
  return now - Math.max(record.seenAt, hearingSince) > fleetLimits.absentAfterMs ? 'absent' : 'present';
}

/** What of a living one asks for attention. */
function complaints(record: FleetRecord, { now, newest }: Outlook): FleetWarning[] {
  const warnings: FleetWarning[] = [];
  const warn = (code: FleetWarningCode, text: string) => void warnings.push({ code, text });
  const { refused, behindSince, clockOffsetMs = 0, spoolOldestMs = 0, spoolBytes = 0 } = record;
  if (refused) warn('refused', `Refuses configuration ${refused.version}: ${refused.reason}`);
  const mismatch = linkMismatch(record);
  if (mismatch !== undefined) warn('link', mismatch);
  for (const problem of record.problems) warn('problem', problem);
  if (record.rivalAt !== undefined && now - record.rivalAt < fleetLimits.clockOffMs)
    warn('name', 'Two processes speak under this name; give each machine its own PORTCULLIS_NODE_NAME');
  const behindMs = behindSince === undefined ? 0 : now - behindSince;
  if (!refused && behindMs > fleetLimits.behindAfterMs)
    warn(
      'behind',
      `Serves by configuration ${record.configVersion ?? 'none'} for ${spoken(behindMs)}; the newest is ${newest}`,
    );
  if (Math.abs(clockOffsetMs) > fleetLimits.clockOffMs)
    warn(
      'clock',
      `Its clock is ${spoken(Math.abs(clockOffsetMs))} ${clockOffsetMs > 0 ? 'ahead' : 'behind'}`,
    );
  if (spoolOldestMs > fleetLimits.spoolWaitsMs)
    warn(
      'spool',
      `${megabytes(spoolBytes)} of events wait on its disk, the oldest for ${spoken(spoolOldestMs)}`,
    );
  const endings = recent(record, now);
  const latest = endings.at(-1);
  if (latest !== undefined)
    warn(
      endings.length < fleetLimits.endingsOfRestless ? 'ended' : 'restarts',
      `Ended without a word ${spoken(now - latest)} ago and was started again${often(endings)}`,
    );
  return warnings;
}

/** Duty moves before who had it counts as absent: who fell silent has it by its last word, who took it over said so later. */
function onDutyOf(records: readonly FleetRecord[]): FleetRecord | undefined {
  return records
    .filter(({ onDuty, leaving }) => onDuty && !leaving)
    .reduce<FleetRecord | undefined>(
      (last, one) => (last && last.seenAt > one.seenAt ? last : one),
      undefined,
    );
}

function memberOf(record: FleetRecord, outlook: Outlook, isOnDuty: boolean): FleetMember | undefined {
  const state = stateOf(record, outlook);
  if (state === undefined) return undefined;
  const {
    seenAt,
    leaving: _1,
    behindSince: _2,
    rivalAt: _3,
    problems: _4,
    linkCompatibleFrom: _5,
    formerStartedAt: _6,
    endings: _7,
    ...said
  } = record;
  const absent = { code: 'absent', text: `Not heard of for ${spoken(outlook.now - seenAt)}` };
  const warnings = { present: () => complaints(record, outlook), absent: () => [absent], stopped: () => [] }[
    state
  ]();
  return {
    ...said,
    ...(said.onDuty && { onDuty: isOnDuty && state === 'present' }),
    state,
    lastSeen: new Date(seenAt).toISOString(),
    behindBy: Math.max(0, outlook.newest - (record.configVersion ?? 0)),
    warnings,
  };
}

/** `gateway-10` after `gateway-9`. Made once, for that is what costs. */
const byName = new Intl.Collator('en', { numeric: true });

/** What a person or a program is shown of all that was said. */
export function describeFleet(records: Iterable<FleetRecord>, outlook: Outlook): Fleet {
  const known = [...records];
  const onDuty = onDutyOf(known);
  const members = known.flatMap((record) => memberOf(record, outlook, record === onDuty) ?? []);
  const place = ({ kind, id }: FleetMember) => `${kind === 'service' ? 0 : 1} ${id}`;
  return {
    configVersion: outlook.newest,
    asOf: new Date(outlook.now).toISOString(),
    members: members.sort((a, b) => byName.compare(place(a), place(b))),
  };
}

const megabytes = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(1)} MB`;

const often = ({ length }: readonly number[]) =>
  length === 1 ? '' : `; ${length} times in ${spoken(fleetLimits.endedToldMs)}`;

/** @returns a duration as a person says it, in its largest unit: '12 s', '3 min', '5 h' */
function spoken(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
