import { expect, test } from 'vitest';
import { Resident } from './resident.ts';

test('what a process takes is told as last known where the system cannot say', () => {
  const said = [70, undefined, 80];
  const resident = new Resident(() => {
    const bytes = said.shift();
    if (bytes === undefined) throw new Error('EMFILE: too many open files, uv_resident_set_memory');
    return bytes;
  });
  expect([resident.bytes, resident.bytes, resident.bytes]).toEqual([70, 70, 80]);
  expect(new Resident().bytes).toBeGreaterThan(1_000_000);
});
