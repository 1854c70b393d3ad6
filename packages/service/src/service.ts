import { rm } from 'node:fs/promises';
import type { ControlPlane } from '@portcullis/contract/link';
import type { FastifyInstance } from 'fastify';
import { openControlPlane } from './control-plane.ts';
import { firstAdministrator } from './first-administrator.ts';
import type { ServiceOptions } from './options.ts';
import { assemble, type Parts } from './parts.ts';
import { routes } from './routes.ts';
import { ensureSite } from './sites/index.ts';
import { StartError } from './start-error.ts';
import { explainOpenFailure, openStorage, restoringFolder } from './storage/index.ts';
import { surroundings } from './surroundings.ts';

/** What the launcher tells the operator. */
export interface Started {
  readonly port: number;
  /** opens the console to make the first administrator; absent once there is one */
  readonly setupLink?: string;
}

export interface Service {
  /** @throws StartError with cause and mend */
  start(): Promise<Started>;
  /** Ends streams, finishes the calls under way, closes storage. */
  stop(): Promise<void>;
  /** what a transport hands to gateways and takes from them; usable before `start` */
  readonly controlPlane: ControlPlane;
}

interface Running {
  readonly parts: Parts;
  readonly app: FastifyInstance;
}

/** The control plane: API, console, configuration, users and events. Nothing happens before `start`. */
export function createService(options: ServiceOptions): Service {
  const plane = openControlPlane();
  let running: Running | undefined;
  return {
    controlPlane: plane.controlPlane,
    async start() {
      const storage = await openStorage(options);
      // What a killed restore left: the database is in its place, or its rows are, so nothing more is to come of it.
      await rm(restoringFolder(options.dataDir), { recursive: true, force: true });
      try {
        const parts = await assemble(storage, options, plane.directives);
        const app = await routes(parts, options);
        // They never end by themselves.
        app.addHook('preClose', async () => {
          parts.hub.stop();
          parts.systemReaders.stop();
        });
        if (options.ensureSite) {
          const around = surroundings(options);
          await ensureSite(parts.configuration, parts.sites, options.ensureSite, around);
        }
        const setupToken = await firstAdministrator(parts, options.bootstrapAdmin);
        const port = await listen(app, options);
        await parts.start();
        plane.attach(parts);
        running = { parts, app };
        return { port, ...(setupToken !== undefined && { setupLink: setupLink(options, port, setupToken) }) };
      } catch (error) {
        await storage.close();
        // Damage may show only where a page is read for the first time.
        throw explainOpenFailure(error, options);
      }
    },
    async stop() {
      const ending = running;
      running = undefined;
      if (!ending) return;
      plane.detach();
      // First, for what the last calls change is told by the parts.
      await ending.app.close();
      await ending.parts.stop();
      await ending.parts.storage.close();
    },
  };
}

/** The token stands in the fragment, which browsers send to nobody. */
function setupLink({ publicUrl, adminHost }: ServiceOptions, port: number, token: string): string {
  const wildcard = adminHost === '0.0.0.0' || adminHost === '::';
  const name = wildcard ? 'localhost' : adminHost.includes(':') ? `[${adminHost}]` : adminHost;
  return `${publicUrl?.replace(/\/$/, '') ?? `http://${name}:${port}`}/setup#token=${token}`;
}

async function listen(app: FastifyInstance, { adminHost, adminPort }: ServiceOptions): Promise<number> {
  try {
    await app.listen({ host: adminHost, port: adminPort });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const reason =
      code === 'EADDRINUSE'
        ? 'another program already listens there'
        : error instanceof Error
          ? error.message
          : String(error);
    throw new StartError(
      `The console cannot listen on ${adminHost} port ${adminPort}: ${reason}`,
      'Stop the other program, or set PORTCULLIS_ADMIN_HOST and PORTCULLIS_ADMIN_PORT to a free address',
      { cause: error },
    );
  }
  const address = app.server.address();
  return typeof address === 'object' && address ? address.port : adminPort;
}
