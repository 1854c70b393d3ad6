import { z } from 'zod';
import { Email, NewPassword, User } from '../users/index.ts';

const enterCode = 'Please enter a 6-digit code';

export const LoginRequest = z.object({
  email: z.string('Email is required').min(1, 'Email is required').max(254),
  password: z.string('Password is required').min(1, 'Password is required').max(256),
  /** of the authenticator, or a backup code; blank in the first step of a form that has the field from the start */
  totpCode: z
    .string()
    .max(32)
    .regex(/^(|.{6,})$/, enterCode)
    .nullish(),
});
export type LoginRequest = z.infer<typeof LoginRequest>;

/** Either the first step's demand for a code, or a session. */
export const LoginResponse = z.object({
  requires_totp: z.boolean().optional(),
  token: z.string().optional(),
  user: User.optional(),
});
export type LoginResponse = z.infer<typeof LoginResponse>;

export const SetupRequest = z.object({
  token: z.string().min(1).max(128),
  email: Email,
  password: NewPassword,
});
export type SetupRequest = z.infer<typeof SetupRequest>;

/** `required` while no user exists. */
export const SetupStatus = z.object({ required: z.boolean() });

export const SessionResponse = z.object({ token: z.string(), user: User });
export type SessionResponse = z.infer<typeof SessionResponse>;

export const StreamTicket = z.object({ ticket: z.string(), expiresInSeconds: z.number().int() });
export type StreamTicket = z.infer<typeof StreamTicket>;

export const Profile = z.object({
  id: z.string(),
  email: z.string(),
  displayName: z.string(),
  role: z.string(),
  createdAt: z.string(),
  totpEnabled: z.boolean(),
});
export type Profile = z.infer<typeof Profile>;

export const ProfileUpdate = z.object({
  displayName: z.string().trim().max(80).optional(),
  email: Email.optional(),
  /** needed only when the email changes */
  currentPassword: z.string().max(256).optional(),
});

export const ChangePasswordRequest = z.object({
  currentPassword: z.string('Password is required').min(1, 'Password is required').max(256),
  newPassword: NewPassword,
});

/** What a new password must hold, as the security settings say; the same for every password form. */
export const PasswordPolicy = z.object({
  minLength: z.number().int().default(8),
  requireUppercase: z.boolean().default(true),
  requireLowercase: z.boolean().default(true),
  requireNumbers: z.boolean().default(true),
  /** one of `!@#$%^&*` */
  requireSpecialChars: z.boolean().default(true),
});
export type PasswordPolicy = z.infer<typeof PasswordPolicy>;

export const Session = z.object({
  id: z.string(),
  device: z.string(),
  ip: z.string(),
  created_at: z.string(),
  last_seen: z.string(),
  current: z.boolean(),
});
export type Session = z.infer<typeof Session>;

const TotpCode = z.string(enterCode).regex(/^\d{6}$/, enterCode);

/** A code of the authenticator, or one of the backup codes for who lost it. */
const SecondFactorCode = z.string(enterCode).regex(/^(\d{6}|[a-z2-9]{5}-?[a-z2-9]{5})$/i, enterCode);

/** One-time codes; servers spell the name either way. */
const backupCodeSpellings = {
  backup_codes: z.array(z.string()).optional(),
  backupCodes: z.array(z.string()).optional(),
};

export const TotpEnrollment = z.object({ uri: z.string(), secret: z.string(), ...backupCodeSpellings });
export const TotpEnableRequest = z.object({
  password: z.string('Please enter your password').min(1, 'Please enter your password').max(256),
});
export const TotpEnableResponse = z.object({
  uri: z.string().optional(),
  secret: z.string(),
  ...backupCodeSpellings,
});
export const TotpVerifyRequest = z.object({ code: TotpCode, secret: z.string().max(128).optional() });
export const TotpVerifyResponse = z.object({ ...backupCodeSpellings });
export const TotpDisableRequest = z.object({
  code: SecondFactorCode,
  password: z.string().max(256).optional(),
});
export const TotpStatus = z.object({
  status: z.enum(['enabled', 'disabled']),
  totpEnabled: z.boolean(),
  /** backup codes that were not used yet */
  backupCodesLeft: z.number().int().optional(),
});
export const BackupCodesRequest = z.object({
  password: z.string().min(1).max(256),
  code: SecondFactorCode,
});
export const BackupCodes = z.object({ backup_codes: z.array(z.string()) });
