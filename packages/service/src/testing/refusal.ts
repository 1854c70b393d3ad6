import { expect } from 'vitest';
import { StartError } from '../start-error.ts';

/** Expects work to be refused with a sentence for the operator. @returns the refusal */
export async function refusal(work: Promise<unknown>): Promise<StartError> {
  const error = await work.then(
    () => undefined,
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(StartError);
  return error;
}
