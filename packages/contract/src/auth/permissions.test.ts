import { describe, expect, it } from 'vitest';
import { endpoints } from '../api/index.ts';
import { allows, canonicalPermission, permissionAliases, permissions, rolePermissions } from './index.ts';

describe('permissions', () => {
  it('are the same under each of their names', () => {
    for (const [alias, permission] of Object.entries(permissionAliases)) {
      expect(canonicalPermission(alias)).toBe(permission);
      expect(allows([alias], [permission])).toBe(true);
    }
    expect(Object.keys(permissionAliases)).toHaveLength(17);
  });

  it.each(['', 'unknown', 'site:', '__proto__', 'constructor', 'toString'])('"%s" never grants', (name) => {
    for (const permission of permissions) expect(allows([name], [permission])).toBe(false);
  });

  it('an empty list of needs grants nobody', () => {
    expect(allows(permissions, [])).toBe(false);
  });

  it('an operator steers sites and rules, but no users and no settings', () => {
    const held = rolePermissions.operator;
    expect(allows(held, ['site:create'])).toBe(true);
    expect(allows(held, ['rule:delete'])).toBe(true);
    for (const denied of ['site:delete', 'user:view', 'settings:update'] as const) {
      expect(allows(held, [denied])).toBe(false);
    }
  });

  it('a viewer only looks', () => {
    expect(rolePermissions.viewer.filter((permission) => !permission.endsWith(':view'))).toEqual([]);
  });
});

describe('the endpoint table', () => {
  const all = Object.values(endpoints).flatMap((noun) => Object.values(noun));

  it('names each call once', () => {
    const names = all.map((call) => `${call.method} ${call.path}`);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(40);
  });

  it('declares the parameters that its path names', () => {
    for (const call of all) {
      const named = [...call.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const declared = 'params' in call ? Object.keys(call.params.shape) : [];
      expect(declared, call.path).toEqual(named);
    }
  });

  it('lets nobody in without a sign-in but to set up and to sign in', () => {
    const open = all.filter((call) => call.access === 'public').map((call) => call.path);
    expect(open).toEqual(['/setup', '/setup', '/auth/login']);
  });
});
