import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { HeaderField, InspectedRequest } from '../../packages/engine/src/index.ts';

/** Where recorded traffic lies, beside the repository and never in it. */
export const corpusFile = path.resolve(import.meta.dirname, '../../../shared/corpora/traffic-dev.ndjson.gz');

/** One recorded request. */
export interface Sample {
  readonly id: string;
  readonly label: 'attack' | 'benign';
  /** the request's bytes as latin1 */
  readonly raw: string;
}

/** Every sample of the corpus; undefined where the corpus is not. */
export function readCorpus(file = corpusFile): Sample[] | undefined {
  if (!existsSync(file)) return undefined;
  const lines = gunzipSync(readFileSync(file)).toString('utf8').trim().split('\n');
  return lines.map((line) => {
    const { id, label, raw } = JSON.parse(line) as Sample;
    return { id, label, raw: Buffer.from(raw, 'base64').toString('latin1') };
  });
}

/** The request as a gateway would hand it to the engine: head split as HTTP/1.1 does, body as it came. */
export function toRequest(raw: string): InspectedRequest {
  const blank = /\r?\n\r?\n/.exec(raw);
  const head = blank ? raw.slice(0, blank.index) : raw;
  const body = blank ? raw.slice(blank.index + blank[0].length) : '';
  const [line = '', ...fields] = head.split(/\r?\n/);
  const [method = 'GET', ...rest] = line.split(' ');
  const version = rest.length > 1 ? (rest.pop() ?? '') : '';
  const headers = fields.flatMap((field): HeaderField[] => {
    const colon = field.indexOf(':');
    return colon > 0 ? [[field.slice(0, colon), field.slice(colon + 1).trim()]] : [];
  });
  return {
    method,
    target: rest.join(' '),
    httpVersion: version.replace(/^HTTP\//, '') || '1.1',
    scheme: 'http',
    headers,
    // A flat string, as Buffer makes it for the gateway, and not a piece of one.
    ...(body !== '' && { body: Buffer.from(body, 'latin1').toString('latin1') }),
    clientIp: '192.0.2.1',
  };
}
