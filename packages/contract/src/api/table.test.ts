import { expect, it } from 'vitest';
import { type Endpoint, endpoints } from './index.ts';

/** The calls of the specification, which clients of other making rely on. They stay, as they are. */
const specified = [
  'POST /auth/login',
  'GET /auth/me',
  'GET /auth/profile',
  'GET /audit',
  'GET /monitoring/traffic/hourly',
  'GET /metrics',
  'GET /sites',
  'POST /sites',
  'GET /sites/{id}',
  'PUT /sites/{id}',
  'PUT /sites/{id}/security-level',
  'GET /protection/templates',
  'POST /protection/templates/apply',
  'POST /protection/rules',
  'PUT /protection/rules/{id}',
  'GET /protection/rules/{id}',
  'GET /protection/rules',
  'DELETE /protection/rules/{id}',
  'GET /users',
  'POST /users',
  'PUT /users/{id}',
  'DELETE /users/{id}',
  'GET /users/preferences',
  'PUT /users/preferences',
  'GET /notifications/settings',
  'PUT /notifications/settings',
  'POST /notifications/test',
  'POST /auth/totp/enroll',
  'POST /auth/totp/verify',
  'POST /auth/totp/disable',
  'POST /auth/totp/enable',
  'GET /auth/totp/status',
  'POST /auth/change-password',
];

const calls = Object.values(endpoints).flatMap((byName) => Object.values(byName as Record<string, Endpoint>));
const keys = calls.map(({ method, path }) => `${method} ${path}`);

it('holds every call of the specification', () => {
  expect(specified.filter((key) => !keys.includes(key))).toEqual([]);
});

it('declares each call once, and every place in a path as a parameter', () => {
  expect(new Set(keys).size).toBe(keys.length);
  for (const { path, params } of calls) {
    const places = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect([path, Object.keys(params?.shape ?? {})]).toEqual([path, places]);
  }
});

it('lets nobody in by an empty list of permissions', () => {
  for (const { path, access } of calls) {
    const needed = typeof access === 'string' ? [access] : 'anyOf' in access ? access.anyOf : access.allOf;
    expect([path, needed.length > 0]).toEqual([path, true]);
  }
});
