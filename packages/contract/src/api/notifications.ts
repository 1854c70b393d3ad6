import { z } from 'zod';
import {
  NotificationOutcome,
  NotificationOutcomeQuery,
  NotificationSettingsAnswer,
  NotificationSettingsUpdate,
  NotificationTest,
  ServerMessage,
} from '../notifications/index.ts';
import { endpoint } from './endpoint.ts';

export const notificationEndpoints = {
  settings: endpoint({
    method: 'GET',
    path: '/notifications/settings',
    access: { anyOf: ['settings:view'] },
    summary: 'Channels, events and quiet hours; secrets come back blank',
    response: NotificationSettingsAnswer,
  }),
  updateSettings: endpoint({
    method: 'PUT',
    path: '/notifications/settings',
    access: { anyOf: ['settings:update'] },
    summary:
      'Stores channels, events and quiet hours; an empty secret keeps the stored one, a stale version is refused',
    body: NotificationSettingsUpdate,
    response: ServerMessage,
  }),
  test: endpoint({
    method: 'POST',
    path: '/notifications/test',
    access: { anyOf: ['settings:update'] },
    summary: 'Sends a test message',
    body: NotificationTest,
    response: ServerMessage,
  }),
  outcomes: endpoint({
    method: 'GET',
    path: '/notifications/outcomes',
    access: { anyOf: ['settings:view'] },
    summary: 'What became of the last messages, newest first',
    query: NotificationOutcomeQuery,
    response: z.array(NotificationOutcome),
  }),
} as const;
