import { endpoints } from '@portcullis/contract/api';
import type { FastifyInstance } from 'fastify';
import { type Actor, serve, serveStream } from '../http/index.ts';
import { success } from '../outcome.ts';
import { exportText } from './export.ts';
import { type ConfigurationFileParts, importText } from './import-text.ts';

async function* once(text: string): AsyncIterable<string> {
  yield text;
}

function exportRoutes(app: FastifyInstance, parts: ConfigurationFileParts): void {
  const stream = async (actor: Actor, ip: string, passphrase?: string) => {
    const text = await exportText(parts, { email: actor.email, ip }, passphrase);
    const day = new Date(parts.now()).toISOString().slice(0, 10);
    const filename = `portcullis-${day}.yaml`;
    return success({ type: 'application/yaml; charset=utf-8', filename, text: once(text) });
  };
  serveStream(app, endpoints.configuration.export, ({ actor, ip }) => stream(actor, ip));
  serveStream(app, endpoints.configuration.exportSealed, ({ actor, ip, body }) =>
    stream(actor, ip, body.passphrase),
  );
}

/** GET and POST /configuration/export, POST /configuration/import. */
export function configurationFileRoutes(app: FastifyInstance, parts: ConfigurationFileParts): void {
  exportRoutes(app, parts);

  serve(app, endpoints.configuration.import, ({ body, actor, ip }) =>
    importText(parts, body.document, body, { email: actor.email, ip }),
  );
}
