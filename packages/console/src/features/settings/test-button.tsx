import { Button, Tooltip } from '@mantine/core';
import type { NotificationTest } from '@portcullis/contract/notifications';
import { IconSend } from '@tabler/icons-react';
import { messages } from '../../lib/messages/index.ts';
import { useTestNotification } from './settings-queries.ts';

const words = messages.settings.notifications;

/** Sends a test through one stored channel: `attack` goes by email, `sitedown` to Slack, `webhook` to the webhook. */
export function TestButton(props: { type: NotificationTest['type']; label: string; dirty: boolean }) {
  const test = useTestNotification();
  return (
    <Tooltip label={words.testUsesSaved} disabled={!props.dirty}>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconSend size={14} aria-hidden />}
        disabled={test.isPending}
        aria-busy={test.isPending}
        onClick={() => test.mutate(props.type)}
      >
        {test.isPending ? words.testing : props.label}
      </Button>
    </Tooltip>
  );
}
