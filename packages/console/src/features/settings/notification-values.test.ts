import { NotificationSettings } from '@portcullis/contract/notifications';
import { expect, test } from 'vitest';
import { notificationProblems } from './notification-values.ts';

const problemOf = (webhookUrl: string) =>
  notificationProblems(NotificationSettings.parse({ slack: { webhookUrl } }))['slack.webhookUrl'];

test('a webhook may be https or, in a network of its own, http; anything else is refused before it is sent', () => {
  expect(problemOf('https://hooks.slack.com/services/T/B/x')).toBeUndefined();
  expect(problemOf('http://127.0.0.1:8065/hooks/x')).toBeUndefined();
  expect(problemOf('')).toBeUndefined();
  for (const url of ['ftp://chat.example.com/x', 'javascript:0', 'chat.example.com/x'])
    expect(problemOf(url)).toContain('https:// or http://');
});
