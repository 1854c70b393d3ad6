import type { Issue } from '@portcullis/contract/api';
import type { SecuritySettings } from '@portcullis/contract/settings';

/** What a person calls the settings of each kind. */
export const settingsNames = {
  general: 'General settings',
  security: 'Security settings',
  notifications: 'Notification settings',
} as const;

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && origin === text;
}

/** What no schema can say of security settings. @returns all that is wrong, with dotted paths */
export function securityIssues(settings: SecuritySettings): Issue[] {
  return settings.allowedOrigins.flatMap((origin, index) =>
    origin === '*' || isOrigin(origin)
      ? []
      : [
          {
            path: `allowedOrigins.${index}`,
            message: `"${origin}" is not an origin such as https://shop.example.com, nor *`,
          },
        ],
  );
}

/** The names of the fields in which two settings differ. */
export function changedFields(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  return Object.keys(after).filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
}
