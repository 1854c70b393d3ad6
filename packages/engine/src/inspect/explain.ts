import type { InspectedRequest } from '../parse/index.ts';
import type { Policy } from './compile.ts';
import { conclude, type InspectContext, startRun } from './inspect.ts';
import type { Evaluation } from './run.ts';
import type { Verdict } from './verdict.ts';

/** Everything that was looked at on the way to a verdict. */
export interface Explanation {
  readonly verdict: Verdict;
  /**
   * Rules about the request as a whole (target `request`), then each text that rules were run on, in order; a text on
   * which no gate opened is not listed.
   */
  readonly evaluations: readonly Evaluation[];
  /** how many names and values the request was taken apart into */
  readonly valueCount: number;
  /** what was odd about its form: `malformed json`, `arguments over limit` … */
  readonly oddities: readonly string[];
}

export type { Evaluation } from './run.ts';

/** As `inspect`, and shows all that was evaluated: for a rule tester, not for traffic. */
export function explain(
  policy: Policy,
  request: InspectedRequest,
  context: InspectContext = {},
): Explanation {
  const run = startRun(policy, request, context, true);
  const verdict = conclude(run, request);
  return {
    verdict,
    evaluations: run.trace ?? [],
    valueCount: run.parsed.values.length,
    oddities: [...run.parsed.oddities],
  };
}
