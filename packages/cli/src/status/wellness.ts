import { type Fleet, stands } from '@portcullis/contract/fleet';

/** @returns whether something runs and nothing is wrong now: what is over is told, and is no reason to wake anybody */
export function isWell({ members }: Fleet): boolean {
  const runs = members.some(({ state }) => state === 'present');
  return runs && !members.some(({ warnings }) => warnings.some(stands));
}
