import { describe, expect, test } from 'vitest';
import { budgetOf } from './budget.ts';

function clocks() {
  const time = { wall: 0, cpu: 0 };
  return { time, wall: () => time.wall, cpu: () => time.cpu };
}

describe('the time of an inspection', () => {
  test('is used up by work', () => {
    const { time, ...own } = clocks();
    const usedUp = budgetOf(500, own);
    let spent = 0;
    while (!usedUp()) {
      spent += 10;
      time.wall = spent;
      time.cpu = spent;
    }
    expect(spent).toBeGreaterThan(500);
    expect(spent).toBeLessThanOrEqual(850);
  });

  test('is not used up by waiting for a processor', () => {
    const { time, ...own } = clocks();
    const usedUp = budgetOf(500, own);
    for (let at = 0; at < 100; at++) {
      time.wall += 1000;
      time.cpu += 2;
      expect(usedUp()).toBe(false);
    }
  });
});
