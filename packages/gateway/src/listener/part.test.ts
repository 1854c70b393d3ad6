import { Duplex } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { part } from './part.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a client that is slow to take the last words gets them, and a moment to end its side', async () => {
  const arrived: string[] = [];
  const socket = new Duplex({
    read: () => undefined,
    write(bytes, _encoding, done) {
      setTimeout(() => {
        arrived.push(String(bytes));
        done();
      }, 10_000);
    },
  });
  socket.write('the last words');
  part(socket);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(arrived).toEqual(['the last words']);
  await vi.advanceTimersByTimeAsync(1999);
  expect(socket.destroyed).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(socket.destroyed).toBe(true);
});
