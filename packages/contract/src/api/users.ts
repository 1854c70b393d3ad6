import { z } from 'zod';
import { Preferences, PreferencesUpdate, User, UserCreate, UserUpdate } from '../users/index.ts';
import { endpoint } from './endpoint.ts';

const params = z.object({ id: z.string().max(64) });

export const userEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/users',
    access: { anyOf: ['user:view'] },
    summary: 'All console users',
    response: z.array(User),
  }),
  create: endpoint({
    method: 'POST',
    path: '/users',
    access: { anyOf: ['user:create'] },
    summary: 'Adds a console user',
    body: UserCreate,
    response: User,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/users/{id}',
    access: { anyOf: ['user:update'] },
    summary:
      'Changes email, role or password of a user; a stale version is refused, and the own email and password are changed on the profile',
    params,
    body: UserUpdate,
    response: User,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/users/{id}',
    access: { anyOf: ['user:delete'] },
    summary: 'Deletes a user and ends their sessions',
    params,
  }),
  resetTotp: endpoint({
    method: 'DELETE',
    path: '/users/{id}/totp',
    access: { anyOf: ['user:update'] },
    summary: 'Turns 2FA off for another user who lost it, and ends their sessions',
    params,
    response: User,
  }),
  preferences: endpoint({
    method: 'GET',
    path: '/users/preferences',
    access: 'signed-in',
    summary: "The signed-in user's preferences",
    response: Preferences,
  }),
  updatePreferences: endpoint({
    method: 'PUT',
    path: '/users/preferences',
    access: 'signed-in',
    summary: "Changes the signed-in user's preferences; fields left out keep their value",
    body: PreferencesUpdate,
    response: Preferences,
  }),
} as const;
