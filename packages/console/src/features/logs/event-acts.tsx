import { Button } from '@mantine/core';
import type { AuditEntry } from '@portcullis/contract/events';
import { IconBan, IconCopy, IconFlask, IconShieldCheck, IconTool } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { copyText } from '../../components/copy-button.tsx';
import { messages } from '../../lib/messages/index.ts';
import { clientAddress } from '../../lib/queries/index.ts';
import { usePermission } from '../../lib/session/index.ts';
import { AllowModal } from './allow-modal.tsx';
import { canBeAllowed } from './allow-values.ts';
import { BlockModal } from './block-modal.tsx';
import classes from './event-drawer.module.css';
import { mendOf } from './mend.ts';
import { canBeTried, triedRequest } from './tried-request.ts';

const words = messages.logs;

/** What an operator does about an event. */
export function EventActs(props: { entry: AuditEntry }) {
  const { entry } = props;
  const [allowing, setAllowing] = useState(false);
  const [blocking, setBlocking] = useState(false);
  const mayAllow = usePermission('site:update') && canBeAllowed(entry);
  const mayBlock = useMayBlock() && entry.kind !== undefined;
  const address = clientAddress(entry);
  return (
    <div className={classes.acts}>
      {mayAllow ? (
        <Button
          size="xs"
          variant="light"
          leftSection={<IconShieldCheck size={14} />}
          onClick={() => setAllowing(true)}
        >
          {words.allow.open}
        </Button>
      ) : null}
      <TryIt entry={entry} />
      <ToMend entry={entry} />
      {mayBlock ? (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconBan size={14} />}
          onClick={() => setBlocking(true)}
        >
          {words.block.open}
        </Button>
      ) : null}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconCopy size={14} />}
        onClick={() => void copyText(JSON.stringify(entry, null, 2))}
      >
        {words.detail.raw}
      </Button>
      {mayAllow ? (
        <AllowModal key={entry.id} entry={entry} opened={allowing} onClose={() => setAllowing(false)} />
      ) : null}
      {mayBlock ? (
        <BlockModal
          key={`block ${entry.id}`}
          address={address}
          entry={entry}
          opened={blocking}
          onClose={() => setBlocking(false)}
        />
      ) : null}
    </div>
  );
}

/** To the tester with this very request: does it pass now? */
function TryIt({ entry }: { entry: AuditEntry }) {
  const mayTest = usePermission('rule:view');
  const seesSites = usePermission('site:view');
  if (!mayTest || !seesSites || !canBeTried(entry)) return null;
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconFlask size={14} />}
      renderRoot={(root) => (
        <Link
          to="/protection/test"
          search={{ site: entry.siteId }}
          state={{ tried: { text: triedRequest(entry), clientIp: clientAddress(entry) } }}
          {...root}
        />
      )}
    >
      {words.detail.tryIt}
    </Button>
  );
}

/** To where what decided the event is set. */
function ToMend({ entry }: { entry: AuditEntry }) {
  const mend = mendOf(entry);
  const may = usePermission(mend?.needs ?? 'site:view');
  if (mend === undefined || !may) return null;
  return (
    <Button
      size="xs"
      variant="light"
      leftSection={<IconTool size={14} />}
      renderRoot={(root) => <Link to={mend.to} search={mend.search} {...root} />}
    >
      {mend.label}
    </Button>
  );
}

/** The list may have to be read, made and changed. */
function useMayBlock(): boolean {
  const view = usePermission('rule:view');
  const create = usePermission('rule:create');
  const update = usePermission('rule:update');
  return view && create && update;
}
