import { endpoints } from '@portcullis/contract/api';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '../../../components/toast.ts';
import { ApiError, call, errorText } from '../../../lib/api/index.ts';
import { messages } from '../../../lib/messages/index.ts';
import { currentUserQuery } from '../../../lib/session/index.ts';
import { profileQuery } from '../account-queries.ts';

const words = messages.profile.twoFactor;
const screenWords = messages.profile.twoFactorScreen;

/** What an authenticator app is told, and the codes for the day it is lost. */
export interface Enrollment {
  /** `otpauth://…`, drawn as the QR code */
  uri: string;
  secret: string;
  backupCodes: string[];
}

interface SpelledCodes {
  backup_codes?: string[] | undefined;
  backupCodes?: string[] | undefined;
}

/** @returns the backup codes under either name that servers give them */
export const codesOf = (answer: SpelledCodes | undefined): string[] =>
  answer?.backup_codes ?? answer?.backupCodes ?? [];

/** @returns the link that authenticator apps read, with the product as issuer */
export function authenticatorLink(email: string, secret: string): string {
  const issuer = messages.common.productName;
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${encodeURIComponent(secret)}&issuer=${encodeURIComponent(issuer)}`;
}

/** Whether the own account has 2FA, and how many backup codes are left, where the server says. */
export const totpStatusQuery = queryOptions({
  queryKey: ['totp-status'],
  queryFn: async ({ signal }): Promise<{ enabled: boolean; codesLeft: number | undefined }> => {
    const answer = await call(endpoints.auth.totpStatus, {}, signal);
    const { status, totpEnabled, backupCodesLeft } = answer;
    return { enabled: totpEnabled ?? status === 'enabled', codesLeft: backupCodesLeft };
  },
});

/** @returns reads again what tells of the own 2FA: user, profile and status */
function useRefreshAccount() {
  const client = useQueryClient();
  return async () => {
    const changed = [currentUserQuery.queryKey, profileQuery.queryKey, totpStatusQuery.queryKey];
    await Promise.all(changed.map((queryKey) => client.invalidateQueries({ queryKey })));
  };
}

/** Starts the setup on the profile screen. */
export function useEnroll(started: (enrollment: Enrollment) => void) {
  return useMutation({
    mutationFn: () => call(endpoints.auth.totpEnroll, {}),
    onSuccess: (answer) => {
      toast.success(words.enrolled);
      started({ uri: answer.uri, secret: answer.secret, backupCodes: codesOf(answer) });
    },
    onError: (error) => toast.error(errorText(error, words.enrollFailed)),
  });
}

/** Starts the setup on the 2FA screen, with the password. */
export function useEnable(email: string, started: (enrollment: Enrollment) => void) {
  return useMutation({
    mutationFn: (password: string) => call(endpoints.auth.totpEnable, { body: { password } }),
    onSuccess: (answer) => {
      const uri = answer.uri ?? authenticatorLink(email, answer.secret);
      started({ uri, secret: answer.secret, backupCodes: codesOf(answer) });
    },
    onError: (error) => toast.error(errorText(error, screenWords.enableFailed)),
  });
}

/**
 * Completes the setup with a code. @param done gets the backup codes that came with the answer, if any
 * @param failed what to say when the server says nothing
 */
export function useVerify(done: (backupCodes: string[]) => void, failed: string) {
  const refresh = useRefreshAccount();
  return useMutation({
    mutationFn: (body: { code: string; secret?: string }) => call(endpoints.auth.totpVerify, { body }),
    onSuccess: (answer) => {
      toast.success(words.verified);
      done(codesOf(answer));
      return refresh();
    },
    onError: (error) => toast.error(errorText(error, failed)),
  });
}

/** Turns 2FA off, with a code alone (profile) or with password and code (2FA screen). */
export function useDisable(done: () => void) {
  const refresh = useRefreshAccount();
  return useMutation({
    mutationFn: (body: { code: string; password?: string }) => call(endpoints.auth.totpDisable, { body }),
    onSuccess: async () => {
      toast.success(words.disabledToast);
      done();
      await refresh();
    },
    onError: (error) => toast.error(errorText(error, words.disableFailed)),
  });
}

/** Replaces the backup codes. */
export function useRenewCodes(done: (backupCodes: string[]) => void, refused: (error: ApiError) => void) {
  const refresh = useRefreshAccount();
  return useMutation({
    mutationFn: (body: { password: string; code: string }) => call(endpoints.auth.renewBackupCodes, { body }),
    onSuccess: (answer) => {
      toast.success(screenWords.renewed);
      done(codesOf(answer));
      return refresh();
    },
    onError: (error) => {
      toast.error(errorText(error, screenWords.renewFailed));
      if (error instanceof ApiError) refused(error);
    },
  });
}
