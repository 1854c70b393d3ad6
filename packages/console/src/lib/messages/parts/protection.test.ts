import { expect, it } from 'vitest';
import { protection } from './protection.ts';

it.each([
  ['3', 'v3'],
  ['v3', 'v3'],
  ['V1.2', 'V1.2'],
])('says the version %s as %s', (version, said) => expect(protection.version(version)).toBe(said));
