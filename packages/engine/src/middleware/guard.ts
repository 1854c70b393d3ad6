import { inspect, type Policy, type Verdict } from '../inspect/index.ts';
import type { HeaderField, InspectedRequest } from '../parse/index.ts';

/** How an adapter treats what the engine decides. */
export interface GuardOptions {
  readonly policy: Policy;
  /** milliseconds since the epoch, for exceptions that expire; absent: they never hold */
  readonly now?: () => number;
  /** a monotonic clock in milliseconds and how long one inspection may take by it; absent: as long as it takes */
  readonly budget?: { readonly clock: () => number; readonly maxMs: number };
  /** when the budget runs out before all rules have run (default `pass`) */
  readonly onOverBudget?: 'block' | 'pass';
  /** told of every verdict that is no plain pass, before the answer goes out */
  readonly onVerdict?: (verdict: Verdict, request: InspectedRequest) => void;
  /** whether a reverse proxy in front speaks HTTPS for this server (default `http`) */
  readonly scheme?: 'http' | 'https';
}

/** What to answer; undefined lets the request through. */
export interface Refusal {
  readonly status: 302 | 403;
  readonly headers: readonly HeaderField[];
  readonly body: string;
}

/** Inspects a request and says how to answer it if it may not pass. A challenge needs a gateway: here it blocks. */
export function judge(options: GuardOptions, request: InspectedRequest): Refusal | undefined {
  const { policy, now, budget, onVerdict, onOverBudget = 'pass' } = options;
  const deadline = budget ? budget.clock() + budget.maxMs : 0;
  const verdict = inspect(policy, request, {
    ...(now && { nowMs: now() }),
    ...(budget && { exhausted: () => budget.clock() > deadline }),
  });
  if (verdict.matches.length > 0 || verdict.overBudget) onVerdict?.(verdict, request);
  if (verdict.decision === 'redirect')
    return { status: 302, headers: [['location', verdict.location ?? '/']], body: '' };
  const refused = verdict.decision === 'block' || verdict.decision === 'challenge';
  if (!refused && !(verdict.overBudget && onOverBudget === 'block')) return undefined;
  // No word of the rule: an attacker would learn from it.
  return {
    status: 403,
    headers: [['content-type', 'text/plain; charset=utf-8']],
    body: 'This request was refused.\n',
  };
}
