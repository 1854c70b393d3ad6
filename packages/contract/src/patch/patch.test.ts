import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { applyPatch, patchOf } from './index.ts';

const Settings = z.object({
  name: z.string().min(1).default('gate'),
  tags: z.array(z.string()).default([]),
  limits: z.object({ low: z.number().default(1), high: z.number().max(10).default(5) }).prefault({}),
});

describe('a change', () => {
  it('leaves absent what the client left out', () => {
    expect(patchOf(Settings).parse({ limits: { high: 7 } })).toEqual({ limits: { high: 7 } });
    expect(patchOf(Settings).parse({})).toEqual({});
  });

  it('is held to the checks of each field that it has', () => {
    const parsed = patchOf(Settings).safeParse({ name: '', limits: { high: 11 } });
    expect(parsed.error?.issues.map((issue) => issue.path.join('.'))).toEqual(['name', 'limits.high']);
  });

  it('keeps every stored value that it does not name, and replaces lists whole', () => {
    const stored = Settings.parse({ name: 'mine', tags: ['a', 'b'], limits: { low: 2 } });
    const patched = applyPatch(Settings, stored, { tags: ['c'], limits: { high: 9 } });
    expect(patched.data).toEqual({ name: 'mine', tags: ['c'], limits: { low: 2, high: 9 } });
  });
});
