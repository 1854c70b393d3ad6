import { Button } from '@mantine/core';
import type { AuditEntry, EventMatch } from '@portcullis/contract/events';
import { useMemo, useState } from 'react';
import { Badge } from '../../components/badge.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { DetailDrawer } from '../../components/detail-drawer.tsx';
import { Fact, Facts } from '../../components/facts.tsx';
import { MatchCard } from '../../components/match-card.tsx';
import { Moment } from '../../components/moment.tsx';
import { Mono } from '../../components/mono.tsx';
import { QuietLink } from '../../components/quiet-link.tsx';
import { formatCount } from '../../lib/format/index.ts';
import { actionLabel, entryLabel } from '../../lib/messages/actions.ts';
import { categoryLabel } from '../../lib/messages/categories.ts';
import { messages } from '../../lib/messages/index.ts';
import { reachedIn, scoreLabel } from '../../lib/messages/reached.ts';
import { clientAddress } from '../../lib/queries/index.ts';
import { EventActs } from './event-acts.tsx';
import classes from './event-drawer.module.css';
import { actionTones, levelTones } from './log-row.tsx';

const words = messages.logs.detail;
const matchesShown = 3;

/** One event in full: what was decided, by which rule, and the bytes that matched. */
export function EventDrawer(props: { entry: AuditEntry | undefined; onClose: () => void }) {
  return (
    <DetailDrawer subject={props.entry} size={620} title={() => words.title} onClose={props.onClose}>
      {(entry) => <EventDetail entry={entry} onLeave={props.onClose} />}
    </DetailDrawer>
  );
}

function EventDetail(props: { entry: AuditEntry; onLeave: () => void }) {
  const { entry } = props;
  return (
    <div className={classes.detail}>
      <div className={classes.badges}>
        <Badge tone={actionTones[entry.action] ?? 'info'}>{entryLabel(entry)}</Badge>
        <Badge tone={levelTones[entry.level] ?? 'neutral'} icon={false}>
          {messages.logs.levelBadges[entry.level] ?? entry.level}
        </Badge>
      </div>
      <p className={classes.message}>{entry.message}</p>
      <EventActs entry={entry} />
      <Why matches={entry.matches ?? []} reached={reachedIn(entry)} siteId={entry.siteId} />
      <h3 className={classes.heading}>{words.facts}</h3>
      <EventFacts entry={entry} onLeave={props.onLeave} />
    </div>
  );
}

/** What matched comes before all else: who opens an event asks why. The strongest few at once, the others on demand. */
function Why(props: {
  matches: readonly EventMatch[];
  reached: string | undefined;
  siteId: string | undefined;
}) {
  const [all, setAll] = useState(false);
  const strongest = useMemo(
    () => [...props.matches].sort((one, other) => other.score - one.score),
    [props.matches],
  );
  const shown = all ? strongest : strongest.slice(0, matchesShown);
  const further = strongest.length - shown.length;
  return (
    <>
      <h3 className={classes.heading}>{words.why}</h3>
      {props.reached ? <p className={classes.reached}>{props.reached}</p> : null}
      {shown.map((match) => (
        <MatchCard
          key={`${match.ruleId} ${match.target} ${match.span.join()}`}
          match={match}
          siteId={props.siteId}
        />
      ))}
      {shown.length === 0 ? <p className={classes.none}>{words.noMatches}</p> : null}
      {further > 0 ? (
        <Button variant="default" size="compact-sm" className={classes.more} onClick={() => setAll(true)}>
          {words.further(further)}
        </Button>
      ) : null}
    </>
  );
}

/** @param props.onLeave closes the event, for its links lead to a list that it would cover */
function EventFacts(props: { entry: AuditEntry; onLeave: () => void }) {
  const { entry, onLeave } = props;
  const request = [entry.method, entry.path].filter(Boolean).join(' ');
  const client = clientAddress(entry);
  return (
    <Facts>
      <Fact label={words.when}>
        <Moment at={entry.timestamp} />
      </Fact>
      <Fact label={words.client}>
        <Mono>{client}</Mono>
        <span className={classes.further}>
          {entry.clientIP ? (
            <QuietLink to="/logs" search={{ view: 'history', ip: entry.clientIP }} onClick={onLeave}>
              {words.allFrom}
            </QuietLink>
          ) : null}
          <CopyButton text={client} what={words.client} />
        </span>
      </Fact>
      {request ? (
        <Fact label={words.request}>
          <Mono>{request}</Mono>
          <CopyButton text={entry.path ?? request} what={words.request} />
        </Fact>
      ) : null}
      <TextFact label={words.site} text={[entry.siteName, entry.host].filter(Boolean).join(' · ')} />
      <TextFact label={words.status} text={entry.statusCode?.toString()} />
      {entry.ruleId ? (
        <Fact label={words.rule}>
          <Mono>{entry.ruleId}</Mono>
          <QuietLink to="/logs" search={{ view: 'history', rule: entry.ruleId }} onClick={onLeave}>
            {words.allByRule}
          </QuietLink>
        </Fact>
      ) : null}
      <TextFact label={words.category} text={entry.ruleType ? categoryLabel(entry.ruleType) : undefined} />
      <TextFact label={words.score} text={scoreLabel(entry)} />
      {entry.requestId ? (
        <Fact label={words.requestId}>
          <Mono>{entry.requestId}</Mono>
          <CopyButton text={entry.requestId} what={words.requestId} />
        </Fact>
      ) : null}
      <TextFact label={words.userAgent} text={entry.userAgent} mono />
      <TextFact label={words.actor} text={entry.actor} />
      <TextFact label={words.code} text={isCode(entry.action) ? entry.action : undefined} mono />
      {entry.count && entry.count > 1 ? (
        <TextFact label={words.count} text={words.times(formatCount(entry.count))} />
      ) : null}
    </Facts>
  );
}

const isCode = (action: string): boolean => actionLabel(action) !== action;

function TextFact(props: { label: string; text: string | undefined; mono?: boolean }) {
  if (!props.text) return null;
  return <Fact label={props.label}>{props.mono ? <Mono>{props.text}</Mono> : props.text}</Fact>;
}
