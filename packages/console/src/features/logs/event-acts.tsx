import { Button } from '@mantine/core';
import type { AuditEntry } from '@portcullis/contract/events';
import { IconCopy, IconShieldCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { copyText } from '../../components/copy-button.tsx';
import { messages } from '../../lib/messages/index.ts';
import { usePermission } from '../../lib/session/index.ts';
import { AllowModal } from './allow-modal.tsx';
import { canBeAllowed } from './allow-values.ts';
import classes from './event-drawer.module.css';

const words = messages.logs;

/** What an operator does about an event. */
export function EventActs(props: { entry: AuditEntry }) {
  const { entry } = props;
  const [allowing, setAllowing] = useState(false);
  const mayAllow = usePermission('site:update') && canBeAllowed(entry);
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
    </div>
  );
}
