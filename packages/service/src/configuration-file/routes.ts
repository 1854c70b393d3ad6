import { endpoints } from '@portcullis/contract/api';
import type { ConfigurationImportResult } from '@portcullis/contract/configuration';
import type { FastifyInstance } from 'fastify';
import type { AuditLog } from '../audit/index.ts';
import { type Author, type Configuration, presentDifference } from '../configuration/index.ts';
import { type Actor, serve, serveStream } from '../http/index.ts';
import { type Outcome, success } from '../outcome.ts';
import { exportText } from './export.ts';
import { type ImportParts, importWork, rehearseImport } from './import.ts';
import { readFileText, withFileLines } from './import-text.ts';
import type { ImportedFile } from './imported-file.ts';

export interface ConfigurationFileParts extends ImportParts {
  readonly configuration: Configuration;
  readonly audit: AuditLog;
}

type FileParts = ConfigurationFileParts;

/** Compares, and applies where something differs: a file that changes nothing makes no version. */
async function imported(
  parts: FileParts,
  file: ImportedFile,
  author: Author,
  apply: boolean,
): Promise<Outcome<ConfigurationImportResult>> {
  const rehearsed = await rehearseImport(parts, file, author);
  if (!rehearsed.ok) return rehearsed;
  const { changes, notes, version } = rehearsed.value;
  const result = { version, changes: changes.map(presentDifference), notes: [...notes] };
  if (!apply || changes.length === 0) return success({ ...result, applied: apply });
  const done = await parts.configuration.change(
    author,
    importWork(parts, { ...file, base: version }, author),
  );
  if (!done.ok) return done;
  const applied = done.value.changes.map(presentDifference);
  return success({ ...result, changes: applied, applied: true, version: version + 1 });
}

async function* once(text: string): AsyncIterable<string> {
  yield text;
}

function exportRoutes(app: FastifyInstance, parts: FileParts): void {
  const { storage, audit, now } = parts;
  const stream = async (actor: Actor, ip: string, passphrase?: string) => {
    const text = await exportText(parts, storage.read, passphrase);
    const sealed = passphrase !== undefined;
    await audit.write({
      action: 'configuration.export',
      level: sealed ? 'warning' : 'info',
      message: `Exported the configuration ${sealed ? 'with its secrets, sealed' : 'without secrets'}`,
      actor: actor.email,
      ip,
    });
    const day = new Date(now()).toISOString().slice(0, 10);
    const filename = `portcullis-${day}.yaml`;
    return success({ type: 'application/yaml; charset=utf-8', filename, text: once(text) });
  };
  serveStream(app, endpoints.configuration.export, ({ actor, ip }) => stream(actor, ip));
  serveStream(app, endpoints.configuration.exportSealed, ({ actor, ip, body }) =>
    stream(actor, ip, body.passphrase),
  );
}

/** GET and POST /configuration/export, POST /configuration/import. */
export function configurationFileRoutes(app: FastifyInstance, parts: FileParts): void {
  exportRoutes(app, parts);

  serve(app, endpoints.configuration.import, async ({ body, actor, ip }) => {
    const file = await readFileText(body.document, body);
    if (!file.ok) return file;
    const outcome = await imported(parts, file.value, { email: actor.email, ip }, body.apply);
    return outcome.ok ? outcome : withFileLines(body.document, outcome);
  });
}
