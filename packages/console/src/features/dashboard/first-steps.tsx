import { Button } from '@mantine/core';
import type { Metrics } from '@portcullis/contract/monitoring';
import type { Site } from '@portcullis/contract/sites';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CopyButton } from '../../components/copy-button.tsx';
import { Panel } from '../../components/panel.tsx';
import { QuietLink } from '../../components/quiet-link.tsx';
import { messages } from '../../lib/messages/index.ts';
import { fleetQuery } from '../../lib/queries/index.ts';
import { usePermission } from '../../lib/session/index.ts';
import classes from './first-steps.module.css';
import { useSites } from './use-sites.ts';

const words = messages.dashboard.firstSteps;

/** The port that a gateway has unless told otherwise. */
const usualPort = 8080;

/** @returns where a gateway answers: taken to be where the console does, on the port that one says it has */
function useGateway(): { address: string; known: boolean } {
  const { data } = useQuery(fleetQuery);
  const port = data?.members.find(({ state, httpPort }) => state === 'present' && httpPort)?.httpPort;
  // As people write it: the standard port goes without saying.
  const { origin } = new URL(`http://${location.hostname}:${port ?? usualPort}`);
  return { address: origin, known: port !== undefined };
}

/** What to do on a fresh installation, until the first request was counted. */
export function FirstSteps(props: { metrics: Metrics | undefined }) {
  const mayAdd = usePermission('site:create');
  const sites = useSites();
  if (!mayAdd || !sites || !props.metrics || props.metrics.totalRequests > 0) return null;
  return <Steps sites={sites} />;
}

function Steps({ sites }: { sites: readonly Site[] }) {
  const { address, known } = useGateway();
  const added = sites.length > 0;
  const domain = sites.flatMap(({ domains }) => domains).find((name) => !name.includes('*'));
  return (
    <Panel title={words.title} note={words.note} flush>
      <ol className={classes.steps}>
        <Step done={added} current={!added} title={words.add} text={words.addText}>
          {added ? null : (
            <Button renderRoot={(root) => <Link to="/sites" search={{ site: 'new' }} {...root} />} size="xs">
              {messages.dashboard.addSite}
            </Button>
          )}
        </Step>
        <Step
          current={added}
          title={words.send}
          text={known ? words.sendText : `${words.sendText} ${words.usualPort}`}
        >
          {domain ? (
            <Command text={`curl -H 'Host: ${domain}' ${address}/`} what={words.sendCommand} />
          ) : null}
        </Step>
        <Step title={words.watch} text={words.watchText}>
          {domain ? (
            <Command
              text={`curl -H 'Host: ${domain}' "${address}/?id=1'+OR+1=1--"`}
              what={words.watchCommand}
            />
          ) : null}
          <QuietLink to="/logs">{messages.dashboard.viewLogs}</QuietLink>
        </Step>
      </ol>
    </Panel>
  );
}

function Command(props: { text: string; what: string }) {
  return (
    <div className={classes.command}>
      <code>{props.text}</code>
      <CopyButton text={props.text} what={props.what} />
    </div>
  );
}

function Step(props: {
  title: string;
  text: string;
  done?: boolean;
  current?: boolean;
  children?: ReactNode;
}) {
  const Icon = props.done ? IconCircleCheckFilled : IconCircle;
  return (
    <li
      className={classes.step}
      data-done={props.done || undefined}
      {...(props.current ? { 'aria-current': 'step' as const } : {})}
    >
      <Icon
        size={20}
        stroke={1.75}
        {...(props.done ? { role: 'img', 'aria-label': words.done } : { 'aria-hidden': true })}
      />
      <div className={classes.words}>
        <div className={classes.title}>{props.title}</div>
        <p className={classes.text}>{props.text}</p>
        {props.children}
      </div>
    </li>
  );
}
