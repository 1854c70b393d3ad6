import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { HeaderField, InspectedRequest, Sensitivity } from '../../packages/engine/src/index.ts';
import { carriers } from './carriers.ts';
import { toRequest } from './corpus.ts';

/** One request that was written from knowledge of its class, before anybody looked at what the rules make of it. */
export interface Unseen {
  /** files of one round were written together; no rule changed in between */
  readonly round: string;
  readonly label: 'attack' | 'benign';
  /** the heading that it stands under, with the carrier: `sql in cookie` */
  readonly name: string;
  readonly text: string;
  readonly request: InspectedRequest;
}

interface Stopped {
  readonly attacks: number;
  readonly benign: number;
}

/**
 * What each round stood at, in per cent stopped, when it was first measured; the first three only at medium. Only these
 * figures are of requests that nobody had seen; afterwards rules were mended by what a round had shown.
 */
export const firstMeasured: Readonly<Record<string, Readonly<Partial<Record<Sensitivity, Stopped>>>>> = {
  1: { medium: { attacks: 98.0, benign: 16.5 } },
  2: { medium: { attacks: 96.8, benign: 6.7 } },
  3: { medium: { attacks: 99.0, benign: 3.1 } },
  4: {
    low: { attacks: 90.2, benign: 1.4 },
    medium: { attacks: 96.9, benign: 1.7 },
    high: { attacks: 97.2, benign: 5.4 },
  },
  5: {
    low: { attacks: 84.6, benign: 2.9 },
    medium: { attacks: 85.8, benign: 3.9 },
    high: { attacks: 86.4, benign: 4.9 },
  },
  6: {
    low: { attacks: 97.2, benign: 0 },
    medium: { attacks: 97.6, benign: 0 },
    high: { attacks: 98.0, benign: 1.1 },
  },
  // Written by one who had read neither the rules nor the earlier rounds.
  7: {
    low: { attacks: 93.5, benign: 3.5 },
    medium: { attacks: 96.9, benign: 4.1 },
    high: { attacks: 96.9, benign: 4.3 },
  },
  // Written to see whether what round 7 had mended was a class: its neighbours on both sides.
  8: {
    low: { attacks: 92.4, benign: 4.2 },
    medium: { attacks: 97.8, benign: 4.7 },
    high: { attacks: 97.8, benign: 4.7 },
  },
  // Written before reading a rule, of what deployments carry; many benign requests hold code or markup on purpose.
  9: {
    low: { attacks: 95.3, benign: 7.5 },
    medium: { attacks: 98.1, benign: 9.1 },
    high: { attacks: 98.3, benign: 10.0 },
  },
  // Written after round 9 was mended, of other kinds: query languages, ERP, chats, settings; newer holes and engines.
  10: {
    low: { attacks: 91.9, benign: 2.2 },
    medium: { attacks: 94.4, benign: 2.2 },
    high: { attacks: 94.4, benign: 2.2 },
  },
  // Written before reading a rule: each payload in one place of a whole request, holes of ten years, tools people run.
  11: {
    low: { attacks: 91.1, benign: 3.8 },
    medium: { attacks: 95.3, benign: 4.2 },
    high: { attacks: 95.4, benign: 4.7 },
  },
  // Written before reading a rule: payloads of every category with attackers' own encodings; prose and chat that quote code.
  12: {
    low: { attacks: 89.1, benign: 8.1 },
    medium: { attacks: 93.6, benign: 8.7 },
    high: { attacks: 93.9, benign: 9.1 },
  },
  // Written before reading a rule: holes by class, two dozen languages, Windows; webhooks, builds, logs, queries, searches.
  13: {
    low: { attacks: 95.1, benign: 6.3 },
    medium: { attacks: 96.4, benign: 7.9 },
    high: { attacks: 96.5, benign: 8.4 },
  },
  // Written before reading a rule: a payload in each place of whole requests, objects and holes; four in five of the harmless everyday.
  14: {
    low: { attacks: 93.6, benign: 5.2 },
    medium: { attacks: 97.0, benign: 6.2 },
    high: { attacks: 97.2, benign: 6.7 },
  },
  // Written before reading a rule: payloads in every place, holes of products; of the harmless a quarter is hard on purpose: posts
  // and searches of developers. Of 61 posts besides that quote a whole attack, which are not kept here, 54 were stopped at each.
  15: {
    low: { attacks: 90.5, benign: 11.1 },
    medium: { attacks: 94.9, benign: 11.8 },
    high: { attacks: 95.3, benign: 12.6 },
  },
};

const folder = path.join(import.meta.dirname, 'unseen');

/** Every request of every round: each text in each carrier that its heading names. */
export function readUnseen(): Unseen[] {
  return readdirSync(folder).flatMap((file) => {
    const [, label, form, round] = /^(attack|benign)-(values|requests)-(\d+)\.txt$/.exec(file) ?? [];
    if (round === undefined || (label !== 'attack' && label !== 'benign')) return [];
    const lines = readFileSync(path.join(folder, file), 'utf8');
    const read = form === 'values' ? readValues(lines) : readRequests(lines);
    return read.map((one) => ({ round, label, ...one }));
  });
}

type Read = Pick<Unseen, 'name' | 'text' | 'request'>;

/** `@@ heading carrier carrier`, and below it a text a line. */
function readValues(lines: string): Read[] {
  let heading = '';
  let named: readonly string[] = [];
  return lines.split('\n').flatMap((line) => {
    if (line.startsWith('@@ ')) {
      [heading = '', ...named] = line.slice(3).split(' ');
      return [];
    }
    const text = controls(line);
    return line === ''
      ? []
      : named.map((carrier) => ({ name: `${heading} in ${carrier}`, text, request: carried(carrier, text) }));
  });
}

function carried(carrier: string, text: string): InspectedRequest {
  const carry = carriers[carrier];
  if (!carry) throw new Error(`no such carrier: ${carrier}`);
  return carry(text);
}

/** `=== name`, and below it a request without its version and host. */
function readRequests(lines: string): Read[] {
  return lines
    .split(/^=== /m)
    .slice(1)
    .map((block) => {
      const [name = ''] = block.split('\n', 1);
      const text = controls(block.slice(name.length + 1).replace(/\n$/, ''));
      const request = toRequest(Buffer.from(text.replace('\n', ' HTTP/1.1\n')).toString('latin1'));
      const fields: readonly HeaderField[] = [['Host', 'shop.example.com'], ...request.headers];
      return { name, text, request: { ...request, scheme: 'https', headers: fields } };
    });
}

/** Control characters stand in the files as their pictures, U+2400 and after. */
function controls(text: string): string {
  return text.replace(/[\u2400-\u241F]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0x2400));
}
