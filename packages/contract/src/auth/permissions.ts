import type { Role } from '../users/index.ts';

/** What a signed-in user may do, as the server names it. The service enforces, the console only hides. */
export const permissions = [
  'metrics:view',
  'site:view',
  'site:create',
  'site:update',
  'site:delete',
  'rule:view',
  'rule:create',
  'rule:update',
  'rule:delete',
  'audit:view',
  'audit:export',
  'user:view',
  'user:create',
  'user:update',
  'user:delete',
  'settings:view',
  'settings:update',
] as const;
export type Permission = (typeof permissions)[number];

/** Other names under which servers and pages speak of the same permissions. */
export const permissionAliases = {
  SITES_VIEW: 'site:view',
  SITES_CREATE: 'site:create',
  SITES_EDIT: 'site:update',
  PROTECTION_VIEW: 'rule:view',
  PROTECTION_EDIT: 'rule:update',
  RULES_CREATE: 'rule:create',
  RULES_EDIT: 'rule:update',
  RULES_DELETE: 'rule:delete',
  LOGS_VIEW: 'audit:view',
  LOGS_EXPORT: 'audit:export',
  USERS_VIEW: 'user:view',
  USERS_CREATE: 'user:create',
  USERS_EDIT: 'user:update',
  USERS_DELETE: 'user:delete',
  'monitoring-view': 'metrics:view',
  'settings-view': 'settings:view',
  'settings-edit': 'settings:update',
} as const satisfies Record<string, Permission>;
export type PermissionAlias = keyof typeof permissionAliases;

const viewer = ['metrics:view', 'site:view', 'rule:view', 'audit:view'] as const satisfies Permission[];

export const rolePermissions: Readonly<Record<Role, readonly Permission[]>> = {
  admin: permissions,
  operator: [
    ...viewer,
    'site:create',
    'site:update',
    'rule:create',
    'rule:update',
    'rule:delete',
    'audit:export',
    'settings:view',
  ],
  viewer,
};

const known: ReadonlySet<string> = new Set(permissions);

/** @returns the canonical permission, or undefined for an unknown or empty name */
export function canonicalPermission(name: string): Permission | undefined {
  if (known.has(name)) return name as Permission;
  return Object.hasOwn(permissionAliases, name) ? permissionAliases[name as PermissionAlias] : undefined;
}

/**
 * Whether the holder of `held` may do what needs one of `needed`. Unknown names and empty lists never grant.
 * @param held permission strings as a server sent them, in either vocabulary
 */
export function allows(held: readonly string[], needed: readonly Permission[]): boolean {
  const canonical = new Set(held.map(canonicalPermission));
  return needed.some((permission) => canonical.has(permission));
}
