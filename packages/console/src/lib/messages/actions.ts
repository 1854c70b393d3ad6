import type { AdminActionCode, AuditEntry } from '@portcullis/contract/events';

/** What administrators do; settings are one code for each of their pages. */
const names: Record<AdminActionCode, string> = {
  'access.create': 'List added',
  'access.delete': 'List deleted',
  'access.lift': 'Ban lifted',
  'access.update': 'List changed',
  'api_token.create': 'Token created',
  'api_token.revoke': 'Token revoked',
  'auth.backup_codes_renewed': 'Codes renewed',
  'auth.confirmation_failed': 'Wrong password',
  'auth.locked': 'Account locked',
  'auth.login': 'Sign-in',
  'auth.login_failed': 'Sign-in failed',
  'auth.logout': 'Sign-out',
  'auth.password_changed': 'New password',
  'auth.profile_changed': 'Profile changed',
  'auth.sessions_revoked': 'Session ended',
  'auth.setup': 'First setup',
  'auth.totp_disabled': '2FA disabled',
  'auth.totp_enabled': '2FA enabled',
  'certificate.fail': 'No certificate',
  'certificate.issue': 'New certificate',
  'certificate.prove': 'Domain proved',
  'certificate.remove': 'Certificate off',
  'certificate.upload': 'New certificate',
  'configuration.export': 'Config exported',
  'configuration.import': 'Config imported',
  'configuration.restore': 'Config restored',
  'database.move': 'Database moved',
  'database.restore': 'Backup restored',
  'gateways.rotate_keys': 'Keys rotated',
  'rule.create': 'Rule added',
  'rule.delete': 'Rule deleted',
  'rule.update': 'Rule changed',
  'ruleset.create': 'Ruleset added',
  'ruleset.delete': 'Ruleset deleted',
  'ruleset.update': 'Ruleset changed',
  'settings.general': 'Settings saved',
  'settings.notifications': 'Settings saved',
  'settings.security': 'Settings saved',
  'settings.token_key_rotated': 'New token key',
  'site.create': 'Site added',
  'site.delete': 'Site deleted',
  'site.update': 'Site changed',
  'user.create': 'User added',
  'user.delete': 'User deleted',
  'user.totp_reset': '2FA reset',
  'user.update': 'User changed',
};

/** What a site that is only watched let pass. */
const wouldNames: Record<string, string> = {
  block: 'would block',
  challenge: 'would challenge',
  redirect: 'would redirect',
};

/** @returns the words for what was done; of a site that is only watched, for what it would do */
export const entryLabel = ({ action, would }: AuditEntry): string =>
  wouldNames[would ?? ''] ?? actionLabel(action);

const isKnown = (action: string): action is AdminActionCode => Object.hasOwn(names, action);

/** @returns the words for an action (entries of other servers may lack it); a decision as it is, and a code without words of ours with spaces for its signs */
export function actionLabel(action: string | undefined): string {
  if (action === undefined) return '';
  if (isKnown(action)) return names[action];
  if (action.startsWith('settings.')) return 'Settings saved';
  const words = action.replaceAll(/[._]/g, ' ');
  return words === action ? action : words.charAt(0).toUpperCase() + words.slice(1);
}
