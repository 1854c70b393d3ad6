import { expect, it } from 'vitest';
import { readEntry } from './use-log-stream.ts';

it('takes an entry of the stream as another server sends it, like one that is stored', () => {
  const sent = {
    id: 9,
    timestamp: '2026-11-22T09:00:00Z',
    level: 'error',
    message: 'SQL injection',
    ip: '192.0.2.1',
  };
  expect(readEntry(JSON.stringify(sent))).toMatchObject(sent);
  expect(readEntry('3')).toBeUndefined();
  expect(readEntry('{"id":')).toBeUndefined();
});
