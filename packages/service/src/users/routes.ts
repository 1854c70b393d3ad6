import { endpoints } from '@portcullis/contract/api';
import { applyPatch } from '@portcullis/contract/patch';
import { Preferences } from '@portcullis/contract/users';
import type { FastifyInstance } from 'fastify';
import { issuesOf, serve } from '../http/index.ts';
import { failure, invalid, success } from '../outcome.ts';
import { changeUser, createUser, removeUser, type UserParts } from './changes.ts';
import { presentUser } from './present.ts';
import { findUser, holdUser, listUsers, preferencesOf, updateUser } from './repository.ts';

/** The calls of the contract's `users`. */
export function userRoutes(app: FastifyInstance, parts: UserParts): void {
  const { users } = endpoints;
  serve(app, users.list, async () => success((await listUsers(parts.storage.read)).map(presentUser)));
  serve(app, users.create, async (call) => {
    const created = await createUser(parts, call, call.body);
    return created.ok ? success(presentUser(created.value)) : created;
  });
  serve(app, users.update, async (call) => {
    const changed = await changeUser(parts, call, call.params.id, call.body);
    return changed.ok ? success(presentUser(changed.value)) : changed;
  });
  serve(app, users.remove, async (call) => removeUser(parts, call, call.params.id));
  preferenceRoutes(app, parts);
}

function preferenceRoutes(app: FastifyInstance, { storage }: UserParts): void {
  const { preferences, updatePreferences } = endpoints.users;
  serve(app, preferences, async ({ actor }) => {
    const row = await findUser(storage.read, actor.userId);
    return row ? success(preferencesOf(row)) : failure('session_expired');
  });
  serve(app, updatePreferences, async ({ actor, body }) =>
    storage.transaction(async (trx) => {
      const row = await holdUser(trx, actor.userId);
      if (!row) return failure('session_expired');
      const patched = applyPatch(Preferences, preferencesOf(row), body);
      if (!patched.success) return invalid(issuesOf(patched.error));
      await updateUser(trx, row.id, { preferences: JSON.stringify(patched.data) });
      return success(patched.data);
    }),
  );
}
