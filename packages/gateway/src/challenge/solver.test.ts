import { createHash } from 'node:crypto';
import vm from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { searchNonce, solverSource } from './solver.ts';

describe('the solver', () => {
  it('hashes as the platform does', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary-ascii', maxLength: 39 }),
        fc.integer({ min: 0, max: 2 ** 40 }),
        (prefix, from) => {
          const zeros = (nonce: number) =>
            Math.clz32(
              createHash('sha256')
                .update(prefix + nonce, 'latin1')
                .digest()
                .readUInt32BE(0),
            );
          const found = searchNonce(prefix, 6, from, 300);
          for (let nonce = from; nonce < (found === -1 ? from + 300 : found); nonce++)
            expect(zeros(nonce)).toBeLessThan(6);
          if (found !== -1) expect(zeros(found)).toBeGreaterThanOrEqual(6);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('runs from its own text in a bare script engine', () => {
    const run = `${solverSource()}; searchNonce('abc.0.', 10, 0, 1e6)`;
    expect(vm.runInNewContext(run)).toBe(searchNonce('abc.0.', 10, 0, 1e6));
  });
});
