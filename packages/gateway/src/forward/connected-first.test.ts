import { expect, test } from 'vitest';
import { Pool } from '../http-client.ts';
import { connectedFirst, privateSymbols } from './connected-first.ts';

test('an undici without the symbols that choose connections is refused by its name', () => {
  const asked = () => privateSymbols('undici/lib/core/symbols.js', ['kConnected', 'kOfAnotherVersion']);
  expect(asked).toThrow(/undici \d+\.\d+\.\d+ .* no symbol kOfAnotherVersion/);
});

test('a pool that is built in another way is refused so too', async () => {
  const pool = new Pool('http://shop.test');
  expect(() => connectedFirst(pool)).not.toThrow();
  expect(() => connectedFirst({} as never)).toThrow(/undici .* in another way/);
  await pool.close();
});
