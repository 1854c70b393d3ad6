import { describe, expect, it } from 'vitest';
import { ClockDoubt } from './clock-doubt.ts';
import { createJobs } from './index.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

function clocks() {
  let elapsed = 1000;
  let ahead = 1_790_000_000_000;
  const doubt = new ClockDoubt(
    () => elapsed + ahead,
    () => elapsed,
  );
  return {
    doubt,
    pass: (ms: number) => {
      elapsed += ms;
    },
    set: (ms: number) => {
      ahead += ms;
    },
  };
}

describe('a clock', () => {
  it('is believed while it runs, is set a little or is set back', () => {
    const { doubt, pass, set } = clocks();
    pass(400 * dayMs);
    expect(doubt.reason).toBeUndefined();
    set(-3 * dayMs);
    expect(doubt.reason).toBeUndefined();
    for (let day = 0; day < 5; day += 1) {
      set(hourMs);
      expect(doubt.reason).toBeUndefined();
    }
  });

  it('that goes forward by days is doubted until it has kept its time for a day', () => {
    const { doubt, pass, set } = clocks();
    set(61 * dayMs);
    expect(doubt.reason).toMatch(/^The clock went forward by 61 d: nothing is dropped/);
    pass(23 * hourMs);
    expect(doubt.reason).toMatch(/61 d/);
    set(100 * dayMs);
    expect(doubt.reason).toMatch(/161 d/);
    pass(23 * hourMs);
    expect(doubt.reason).toMatch(/161 d/);
    pass(hourMs);
    expect(doubt.reason).toBeUndefined();
  });

  it('is believed again on a machine that sleeps every night', () => {
    const { doubt, pass, set } = clocks();
    set(61 * dayMs);
    expect(doubt.reason).toBeDefined();
    for (let day = 0; day < 3; day += 1) {
      set(16 * hourMs);
      expect(doubt.reason).toBeDefined();
      pass(8 * hourMs);
    }
    expect(doubt.reason).toBeUndefined();
  });

  it('that is put right again is believed at once', () => {
    const { doubt, pass, set } = clocks();
    set(61 * dayMs);
    expect(doubt.reason).toBeDefined();
    pass(hourMs);
    set(-61 * dayMs);
    expect(doubt.reason).toBeUndefined();
  });
});

describe('jobs', () => {
  it('lose nothing for its age by a clock that is in doubt, and do the rest', async () => {
    const clock: { reason: string | undefined } = { reason: 'ahead' };
    const ran: string[] = [];
    const done = Promise.withResolvers<void>();
    const turn = (name: string) => async () => {
      ran.push(name);
      // The first of the others has had its turns before the second has its third.
      if (name === 'other' && ran.filter((one) => one === name).length === 3) clock.reason = undefined;
      if (name === 'by age') done.resolve();
    };
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    // Neither job touches the storage.
    const parts = { storage: undefined as never, log, now: Date.now, duty: { held: true }, clock };
    const jobs = createJobs(parts, [
      { name: 'by age', everyMs: 2, byAge: true, run: turn('by age') },
      { name: 'other', everyMs: 5, run: turn('other') },
    ]);
    jobs.start();
    const awake = setInterval(() => {}, 1000);
    await done.promise;
    clearInterval(awake);
    jobs.stop();
    expect(ran.slice(0, 4)).toEqual(['other', 'other', 'other', 'by age']);
  });
});
