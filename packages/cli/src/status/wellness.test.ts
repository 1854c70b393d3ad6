import type { FleetMember } from '@portcullis/contract/fleet';
import { expect, test } from 'vitest';
import { isWell } from './index.ts';

const member = (state: FleetMember['state'], ...codes: string[]): FleetMember => ({
  ...{ id: 'gateway-1', kind: 'gateway', productVersion: '1.0.0', linkVersion: 1, startedAt: '', state },
  ...{ lastSeen: '', behindBy: 0, cpuPercent: 0, memoryBytes: 0 },
  warnings: codes.map((code) => ({ code, text: 'It is so' })),
});

test.each([
  ['of nobody', [], false],
  ['of who was stopped', [member('stopped')], false],
  ['of who runs', [member('present')], true],
  ['of who was started again a while ago', [member('present', 'ended'), member('present')], true],
  ['of who is started again and again', [member('present', 'restarts')], false],
  ['of one beside who is missed', [member('present'), member('absent', 'absent')], false],
  ['of who is wrong beside what is over', [member('present', 'spool', 'ended')], false],
  ['of what only a newer version knows', [member('present', 'unheard-of')], false],
])('a fleet %s is well or not', (_name, members, well) => {
  expect(isWell({ configVersion: 1, asOf: '', members })).toBe(well);
});
