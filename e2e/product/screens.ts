/** Every route behind the sign-in, by the name of its picture. */
export const screens: Readonly<Record<string, string>> = {
  dashboard: '/',
  sites: '/sites',
  protection: '/protection',
  'address-lists': '/address-lists',
  logs: '/logs',
  certificates: '/certificates',
  users: '/users',
  monitoring: '/monitoring',
  settings: '/settings',
  profile: '/profile',
  'edit-profile': '/profile/edit',
  sessions: '/profile/sessions',
  'change-password': '/profile/password',
  'two-factor': '/profile/2fa',
  preferences: '/profile/preferences',
  'not-found': '/nowhere',
};
