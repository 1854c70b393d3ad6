import { endpoints } from '@portcullis/contract/api';
import { maxDocumentBytes } from '@portcullis/contract/configuration';
import type { FastifyInstance } from 'fastify';
import { type Actor, serve, serveStream, serveText, type TextReader } from '../http/index.ts';
import { success } from '../outcome.ts';
import { exportText } from './export.ts';
import { type ConfigurationFileParts, importText } from './import-text.ts';

/** Bytes that are sent at once: a text of megabytes would hold others up. */
const bytesAtOnce = 65_536;

async function* textOf(bytes: Uint8Array): AsyncIterable<string> {
  const decoder = new TextDecoder();
  for (let from = 0; from < bytes.length; from += bytesAtOnce)
    yield decoder.decode(bytes.subarray(from, from + bytesAtOnce), { stream: true });
}

function exportRoutes(app: FastifyInstance, parts: ConfigurationFileParts): void {
  const stream = async (actor: Actor, ip: string, passphrase?: string) => {
    const bytes = await exportText(parts, { email: actor.email, ip }, passphrase);
    const day = new Date(parts.now()).toISOString().slice(0, 10);
    const filename = `portcullis-${day}.yaml`;
    return success({ type: 'application/yaml; charset=utf-8', filename, text: textOf(bytes) });
  };
  serveStream(app, endpoints.configuration.export, ({ actor, ip }) => stream(actor, ip));
  serveStream(app, endpoints.configuration.exportSealed, ({ actor, ip, body }) =>
    stream(actor, ip, body.passphrase),
  );
}

const wholeText: TextReader<string> = {
  maxBytes: maxDocumentBytes,
  async read(pieces) {
    const read: string[] = [];
    for await (const piece of pieces) read.push(piece);
    return read.join('');
  },
};

/** GET and POST /configuration/export, POST /configuration/import and /configuration/import/file. */
export function configurationFileRoutes(app: FastifyInstance, parts: ConfigurationFileParts): void {
  exportRoutes(app, parts);

  serve(app, endpoints.configuration.import, ({ body, actor, ip }) =>
    importText(parts, body.document, body, { email: actor.email, ip }),
  );

  const { importFile } = endpoints.configuration;
  serveText(app, importFile, wholeText, ({ query, headers, actor, ip }, document) => {
    const options = { ...query, passphrase: headers['portcullis-passphrase'] };
    return importText(parts, document, options, { email: actor.email, ip });
  });
}
