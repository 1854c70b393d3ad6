import { describe, expect, it } from 'vitest';
import { areaPath, labelIndexes, linear, linePath, nearestIndex, valueTicks } from './plot-scale.ts';

describe('the scales of a chart', () => {
  it('steps the value axis by 1, 2 or 5 times a power of ten', () => {
    expect(valueTicks(100)).toEqual([0, 50, 100]);
    expect(valueTicks(8_000)).toEqual([0, 2_000, 4_000, 6_000, 8_000]);
    expect(valueTicks(10)).toEqual([0, 5, 10]);
    expect(valueTicks(0.7)).toHaveLength(4);
  });

  it('labels the last moment always, and no two closer than a label is wide', () => {
    expect(labelIndexes([0, 10, 20, 30, 40, 50, 60, 70, 80], 20)).toEqual([1, 3, 5, 8]);
    expect(labelIndexes([0, 2, 60, 120], 40)).toEqual([0, 2, 3]);
    expect(labelIndexes([0, 50, 90], 40), 'no room between the ends').toEqual([0, 2]);
    expect(labelIndexes([], 40)).toEqual([]);
  });

  it('leaves a gap where a value is missing, and a dot where one stands alone', () => {
    const y = linear(0, 10, 100, 0);
    expect(linePath([0, 10, 20, 30], [0, 5, null, 10], y)).toBe('M0.0 100.0L10.0 50.0M30.0 0.0h0');
    expect(areaPath('M0.0 100.0L20.0 0.0', [0, 20], 100)).toBe('M0.0 100.0L20.0 0.0L20.0 100L0.0 100Z');
  });

  it('finds the moment under the pointer', () => {
    expect(nearestIndex([0, 10, 20], 14)).toBe(1);
    expect(nearestIndex([], 14)).toBeUndefined();
  });
});
