import { endpoints } from '@portcullis/contract/api';
import type { FastifyInstance } from 'fastify';
import { type Actor, serve } from '../http/index.ts';
import { failure, success } from '../outcome.ts';
import { findUser, presentUser } from '../users/index.ts';
import { backupHashesOf } from './repository.ts';
import { type ResetParts, resetTwoFactor } from './reset.ts';
import { endTwoFactor, finishSetup, renewBackupCodes, startSetup, type TwoFactorParts } from './setup.ts';

const asked = ({ actor, ip }: { readonly actor: Actor; readonly ip: string }) => ({
  userId: actor.userId,
  email: actor.email,
  ip,
});

/**
 * The own second step, in both flows: enroll and verify with the secret, or enable with the password and verify; and
 * its reset for another user.
 */
export function twoFactorRoutes(app: FastifyInstance, parts: TwoFactorParts & ResetParts): void {
  const calls = endpoints.auth;

  serve(app, calls.totpStatus, async ({ actor }) => {
    const user = await findUser(parts.storage.read, actor.userId);
    if (!user) return failure('session_expired');
    const totpEnabled = user.totp_secret !== null;
    const status = totpEnabled ? 'enabled' : 'disabled';
    return success({ status, totpEnabled, backupCodesLeft: backupHashesOf(user).length });
  });

  serve(app, calls.totpEnroll, async (call) => {
    const started = await startSetup(parts, asked(call), undefined);
    return started.ok ? success({ uri: started.value.uri, secret: started.value.secret }) : started;
  });

  serve(app, calls.totpEnable, async (call) => startSetup(parts, asked(call), call.body.password));

  serve(app, calls.totpVerify, async (call) => {
    const codes = await finishSetup(parts, asked(call), call.body);
    return codes.ok ? success({ backup_codes: codes.value }) : codes;
  });

  serve(app, calls.totpDisable, async (call) => {
    const ended = await endTwoFactor(parts, asked(call), call.body);
    return ended.ok ? success({ message: '2FA disabled successfully' }) : ended;
  });

  serve(app, endpoints.users.resetTotp, async (call) => {
    const user = await resetTwoFactor(parts, call, call.params.id);
    return user.ok ? success(presentUser(user.value)) : user;
  });

  serve(app, calls.renewBackupCodes, async (call) => {
    const codes = await renewBackupCodes(parts, asked(call), call.body);
    return codes.ok ? success({ backup_codes: codes.value }) : codes;
  });
}
