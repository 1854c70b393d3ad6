import { endpoints } from '@portcullis/contract/api';
import type { FastifyInstance } from 'fastify';
import type { Configuration } from '../configuration/index.ts';
import { type Actor, serve } from '../http/index.ts';
import { success } from '../outcome.ts';
import type { Storage } from '../storage/index.ts';
import { generalChange, securityChange } from './changes.ts';
import { readVersioned } from './repository.ts';

export interface SettingsParts {
  readonly storage: Storage;
  readonly configuration: Configuration;
  /** told that a shorter session timeout may have ended sessions, so that their streams close */
  sessionsEnded(): void;
}

const author = ({ actor, ip }: { readonly actor: Actor; readonly ip: string }) => ({
  email: actor.email,
  ip,
});

/** General and security settings. Each save is a version of the configuration, so gateways have it at once. */
export function settingsRoutes(app: FastifyInstance, parts: SettingsParts): void {
  const { settings } = endpoints;
  const { storage, configuration, sessionsEnded } = parts;

  serve(app, settings.general, async () => success(await readVersioned(storage.read, 'general')));

  serve(app, settings.updateGeneral, async (call) =>
    configuration.change(author(call), generalChange(call.body)),
  );

  serve(app, settings.security, async () => success(await readVersioned(storage.read, 'security')));

  serve(app, settings.updateSecurity, async (call) => {
    const saved = await configuration.change(author(call), securityChange(call.body));
    if (saved.ok) sessionsEnded();
    return saved;
  });
}
