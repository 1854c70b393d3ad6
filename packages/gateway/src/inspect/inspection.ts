import type { GatewaySite } from '@portcullis/contract/link';
import {
  inspect,
  inspectionNeedsBody,
  inspectRest,
  type Policy,
  policyInSteps,
  type Verdict,
} from '@portcullis/engine';
import type { Exchange } from '../exchange/index.ts';
import type { HeldMemory } from '../limits/index.ts';
import type { Steps } from '../steps.ts';
import { type Prefix, readPrefix } from './body-prefix.ts';
import { budgetOf } from './budget.ts';
import { inspectedRequest } from './inspected-request.ts';
import { policyInputOf } from './policy-input.ts';
import { compileRules } from './rules.ts';

/** Milliseconds that one request may keep a worker busy. */
const budgetMs = 500;

/** What the engine made of a request, or why it could not. */
export type Judgement =
  | {
      readonly kind: 'verdict';
      readonly verdict: Verdict;
      readonly micros: number;
    }
  | { readonly kind: 'failed'; readonly reason: string }
  /** no memory was left to hold the body */
  | { readonly kind: 'starved' }
  /** the client went away while its body was read */
  | { readonly kind: 'gone' };

/** Compiled policies by what they were compiled from: sites that chose alike share one. */
export class PolicyCache {
  #before = new Map<string, Policy>();
  #now = new Map<string, Policy>();
  readonly #keys = new WeakMap<Policy, string>();

  /**
   * @returns undefined where nothing is to be inspected
   * @throws with a sentence, when a rule of the site cannot be compiled
   */
  *policyOf(site: GatewaySite): Steps<Policy | undefined> {
    const input = policyInputOf(site, []);
    const rules = site.security_level === 'off' ? [] : site.rules;
    if (input === undefined && rules.length === 0) return undefined;
    const key = JSON.stringify([input, rules]);
    const known = this.#now.get(key) ?? this.#before.get(key) ?? (yield* compile(site, rules));
    this.#now.set(key, known);
    this.#keys.set(known, key);
    return known;
  }

  /** Says that a policy of this cache stays in use. */
  keep(policy: Policy): void {
    const key = this.#keys.get(policy);
    if (key !== undefined) this.#now.set(key, policy);
  }

  /** To be called once a configuration is in force: what it did not use is forgotten with the next one. */
  turn(): void {
    this.#before = this.#now;
    this.#now = new Map();
  }
}

function* compile(site: GatewaySite, rules: GatewaySite['rules']): Steps<Policy> {
  const input = policyInputOf(site, compileRules(rules));
  if (input === undefined) throw new Error('nothing to compile');
  return yield* policyInSteps(input);
}

/**
 * Looks at a request before anything of it is forwarded: at its head and at the inspected part of its body.
 * @param done called once, at once where the request has no body
 */
export function examine(
  exchange: Exchange,
  policy: Policy,
  memory: HeldMemory,
  done: (judgement: Judgement, prefix: Prefix | undefined) => void,
): void {
  if (!exchange.hasBody || !inspectionNeedsBody(policy)) {
    done(judge(exchange, policy, undefined), undefined);
    return;
  }
  readPrefix(exchange, policy.limits.maxBodyBytes, memory, (prefix) => {
    const judged = prefix.kind === 'whole' || prefix.kind === 'part';
    done(judged ? judge(exchange, policy, prefix) : { kind: prefix.kind }, prefix);
  });
}

function judge(exchange: Exchange, policy: Policy, prefix: Prefix | undefined): Judgement {
  return judgementOf(() =>
    inspect(policy, inspectedRequest(exchange, prefix), {
      exhausted: budgetOf(budgetMs),
      nowMs: exchange.time,
    }),
  );
}

/** Looks at what a client sends, piece by piece; undefined stands for the end. */
export type RestExaminer = (piece: Buffer | undefined) => Judgement;

/**
 * Goes on where {@link examine} ended on a body that is longer than its prefix.
 * @param prefix stands at the beginning of what the examiner will be given
 * @returns undefined where the rest tells nothing, such as that of a file
 */
export function examineRest(exchange: Exchange, policy: Policy, prefix: Prefix): RestExaminer | undefined {
  if (prefix.kind !== 'part') return undefined;
  const rest = inspectRest(policy, inspectedRequest(exchange, prefix), { nowMs: exchange.time });
  if (rest === undefined) return undefined;
  const announced = Number(exchange.head.contentLength ?? Number.NaN);
  let known = prefix.bytes.length;
  let received = 0;
  return (piece) => {
    const fresh = piece?.subarray(known).toString('latin1') ?? '';
    known = Math.max(0, known - (piece?.length ?? 0));
    received += piece?.length ?? 0;
    // With the last of the bytes that were announced the upstream has them all, whatever is said afterwards.
    const last = piece === undefined || received === announced;
    return judgementOf(() => rest.read(fresh, last, { exhausted: budgetOf(budgetMs) }));
  };
}

function judgementOf(inspection: () => Verdict): Judgement {
  const startedAt = performance.now();
  try {
    const verdict = inspection();
    return { kind: 'verdict', verdict, micros: (performance.now() - startedAt) * 1000 };
  } catch (error) {
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}
