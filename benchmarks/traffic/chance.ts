import { createCipheriv } from 'node:crypto';
import type { HeaderField, InspectedRequest } from '../../packages/engine/src/index.ts';

/** A kind of benign request that chance writes, and enough of them to tell one blame in a thousand. */
export interface ByChance {
  readonly kind: string;
  readonly requests: readonly InspectedRequest[];
}

/** Bytes that look random and are the same in every run. */
function* bytes(): Generator<number, never> {
  const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16));
  for (;;) yield* cipher.update(Buffer.alloc(65_536));
}

const stream = () => {
  const source = bytes();
  const take = (count: number) => Buffer.from(Array.from({ length: count }, () => source.next().value));
  const below = (limit: number) => take(4).readUInt32LE() % limit;
  const lettersOf = (alphabet: string, count: number) =>
    Array.from({ length: count }, () => alphabet[below(alphabet.length)]).join('');
  return { take, below, lettersOf };
};

const post = (type: string, body: string): InspectedRequest => ({
  method: 'POST',
  target: '/account/session',
  httpVersion: '1.1',
  scheme: 'https',
  headers: [
    ['Host', 'shop.example'],
    ['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'],
    ['Content-Type', type],
  ] satisfies HeaderField[],
  body,
  clientIp: '192.0.2.1',
});
const form = (password: string) =>
  post('application/x-www-form-urlencoded', `user=anna&password=${encodeURIComponent(password)}`);
const json = (value: unknown) => post('application/json', JSON.stringify(value));

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const printable = String.fromCharCode(...Array.from({ length: 94 }, (_, index) => 33 + index));

/**
 * What nobody wrote: passwords of 12 to 24 characters as password managers make them, and bytes as recorders of
 * sessions, protobuf and uploads carry them. Sooner or later chance spells every short pattern.
 */
export function byChance(count: number): readonly ByChance[] {
  const { take, below, lettersOf } = stream();
  const many = (kind: string, make: () => InspectedRequest): ByChance => ({
    kind,
    requests: Array.from({ length: count }, make),
  });
  const password = (alphabet: string) => lettersOf(alphabet, 12 + below(13));
  return [
    many('passwords with !@#$%^&*', () => form(password(`${letters}!@#$%^&*`))),
    many('passwords of all 94 characters, form', () => form(password(printable))),
    many('passwords of all 94 characters, JSON', () => json({ user: 'anna', password: password(printable) })),
    many('2 KB in base64', () => json({ chunk: take(1536).toString('base64') })),
    many('2 KB of bytes', () => post('application/x-protobuf', take(2048).toString('latin1'))),
  ];
}
