import { z } from 'zod';
import * as schema from '../auth/index.ts';
import { ServerMessage } from '../notifications/index.ts';
import { User } from '../users/index.ts';
import { endpoint } from './endpoint.ts';

const sessionParams = z.object({ id: z.string().max(64) });

export const authEndpoints = {
  setupStatus: endpoint({
    method: 'GET',
    path: '/setup',
    access: 'public',
    summary: 'Whether the first administrator is still to be created',
    response: schema.SetupStatus,
  }),
  setup: endpoint({
    method: 'POST',
    path: '/setup',
    access: 'public',
    summary: 'Creates the first administrator with the one-time setup link',
    body: schema.SetupRequest,
    response: schema.SessionResponse,
  }),
  login: endpoint({
    method: 'POST',
    path: '/auth/login',
    access: 'public',
    summary: 'Signs in; answers requires_totp where a second step is needed',
    body: schema.LoginRequest,
    response: schema.LoginResponse,
  }),
  logout: endpoint({
    method: 'POST',
    path: '/auth/logout',
    access: 'signed-in',
    summary: 'Ends this session',
  }),
  me: endpoint({
    method: 'GET',
    path: '/auth/me',
    access: 'signed-in',
    summary: 'The signed-in user',
    response: z.object({ user: User }),
  }),
  profile: endpoint({
    method: 'GET',
    path: '/auth/profile',
    access: 'signed-in',
    summary: "The signed-in user's own account",
    response: z.object({ profile: schema.Profile }),
  }),
  updateProfile: endpoint({
    method: 'PUT',
    path: '/auth/profile',
    access: 'signed-in',
    summary: 'Changes the own display name or email',
    body: schema.ProfileUpdate,
    response: z.object({ profile: schema.Profile }),
  }),
  streamTicket: endpoint({
    method: 'POST',
    path: '/auth/stream-ticket',
    access: 'signed-in',
    summary: 'A single-use ticket that opens one event stream',
    response: schema.StreamTicket,
  }),
  sessions: endpoint({
    method: 'GET',
    path: '/auth/sessions',
    access: 'signed-in',
    summary: 'The own sessions',
    response: z.array(schema.Session),
  }),
  revokeSession: endpoint({
    method: 'DELETE',
    path: '/auth/sessions/{id}',
    access: 'signed-in',
    summary: 'Ends one of the own sessions',
    params: sessionParams,
  }),
  revokeOtherSessions: endpoint({
    method: 'DELETE',
    path: '/auth/sessions',
    access: 'signed-in',
    summary: 'Ends all own sessions but this one',
  }),
  changePassword: endpoint({
    method: 'POST',
    path: '/auth/change-password',
    access: 'signed-in',
    summary: 'Changes the own password and ends the other sessions',
    body: schema.ChangePasswordRequest,
  }),
  totpStatus: endpoint({
    method: 'GET',
    path: '/auth/totp/status',
    access: 'signed-in',
    summary: 'Whether the own account has 2FA',
    response: schema.TotpStatus,
  }),
  totpEnroll: endpoint({
    method: 'POST',
    path: '/auth/totp/enroll',
    access: 'signed-in',
    summary: 'Starts 2FA setup with a secret that the verification sends back',
    response: schema.TotpEnrollment,
  }),
  totpEnable: endpoint({
    method: 'POST',
    path: '/auth/totp/enable',
    access: 'signed-in',
    summary: 'Starts 2FA setup with the password',
    body: schema.TotpEnableRequest,
    response: schema.TotpEnableResponse,
  }),
  totpVerify: endpoint({
    method: 'POST',
    path: '/auth/totp/verify',
    access: 'signed-in',
    summary: 'Completes 2FA setup with a code',
    body: schema.TotpVerifyRequest,
    response: schema.TotpVerifyResponse,
  }),
  totpDisable: endpoint({
    method: 'POST',
    path: '/auth/totp/disable',
    access: 'signed-in',
    summary: 'Turns 2FA off',
    body: schema.TotpDisableRequest,
    response: ServerMessage.optional(),
  }),
  renewBackupCodes: endpoint({
    method: 'POST',
    path: '/auth/totp/backup-codes',
    access: 'signed-in',
    summary: 'Replaces the backup codes and shows them once',
    body: schema.BackupCodesRequest,
    response: schema.BackupCodes,
  }),
} as const;
