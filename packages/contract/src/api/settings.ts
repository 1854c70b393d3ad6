import {
  GeneralSettingsAnswer,
  GeneralSettingsUpdate,
  RotateTokenKey,
  SecuritySettingsAnswer,
  SecuritySettingsUpdate,
} from '../settings/index.ts';
import { endpoint } from './endpoint.ts';

export const settingsEndpoints = {
  general: endpoint({
    method: 'GET',
    path: '/settings/general',
    access: { anyOf: ['settings:view'] },
    summary: 'General settings',
    response: GeneralSettingsAnswer,
  }),
  updateGeneral: endpoint({
    method: 'PUT',
    path: '/settings/general',
    access: { anyOf: ['settings:update'] },
    summary:
      'Stores the general settings and puts them in force; fields left out keep their value, a stale version is refused',
    body: GeneralSettingsUpdate,
    response: GeneralSettingsAnswer,
  }),
  security: endpoint({
    method: 'GET',
    path: '/settings/security',
    access: { anyOf: ['settings:view'] },
    summary: 'Security settings; the token key is never among them',
    response: SecuritySettingsAnswer,
  }),
  updateSecurity: endpoint({
    method: 'PUT',
    path: '/settings/security',
    access: { anyOf: ['settings:update'] },
    summary:
      'Stores the security settings and puts them in force; fields left out keep their value, a stale version is refused',
    body: SecuritySettingsUpdate,
    response: SecuritySettingsAnswer,
  }),
  rotateTokenKey: endpoint({
    method: 'POST',
    path: '/settings/security/rotate-key',
    access: { anyOf: ['settings:update'] },
    summary: 'Replaces the key that signs session tokens, which ends every session',
    body: RotateTokenKey.optional(),
  }),
} as const;
