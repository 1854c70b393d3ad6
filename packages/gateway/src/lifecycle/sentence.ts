import type { Verdict } from '@portcullis/engine';
import { findingOf, type Judgement } from '../inspect/index.ts';
import { type Finding, notCarriedOut } from '../report/index.ts';
import type { ServedSite } from '../sites/index.ts';

/** What follows from a judgement. */
export type Sentence =
  /** `allowed`: by a rule of the operator's, so that nothing else is asked of it */
  | { readonly kind: 'pass'; readonly allowed?: boolean; readonly finding?: Finding }
  | { readonly kind: 'block' | 'challenge'; readonly finding: Finding }
  /** not for what was asked, but because the gateway has no room for it now */
  | { readonly kind: 'overload'; readonly finding: Finding }
  | { readonly kind: 'redirect'; readonly location: string; readonly finding: Finding };

/**
 * Turns what the engine said into what is done. Where it could not say, the site's stated mode decides and an
 * event tells of it. On a site that is only watched all but a challenge, which a visitor may have passed, comes to a
 * pass.
 */
export function sentenceOf(judgement: Judged, site: ServedSite): Sentence {
  const sentence = enforced(judgement, site);
  if (!site.watchOnly || sentence.kind === 'pass' || sentence.kind === 'challenge') return sentence;
  return { kind: 'pass', finding: notCarriedOut(sentence.finding) };
}

type Judged = Exclude<Judgement, { kind: 'gone' }>;

function enforced(judgement: Judged, site: ServedSite): Sentence {
  const { failureModes: modes, customRuleIds } = site;
  if (judgement.kind === 'failed')
    return failed(modes.engine_error, `The engine failed: ${judgement.reason}`);
  if (judgement.kind === 'starved') {
    const finding = memoryUsedUp(modes.over_budget);
    return { kind: modes.over_budget === 'block' ? 'overload' : 'pass', finding };
  }
  const { verdict, micros } = judgement;
  if (verdict.decision === 'redirect') {
    return {
      kind: 'redirect',
      location: verdict.location ?? '/',
      finding: findingOf(verdict, customRuleIds, micros),
    };
  }
  if (verdict.decision === 'block' || verdict.decision === 'challenge') {
    return { kind: verdict.decision, finding: findingOf(verdict, customRuleIds, micros) };
  }
  if (verdict.decision === 'allow') return allowed(verdict, micros, customRuleIds);
  if (verdict.overBudget)
    return failed(modes.over_budget, 'The request asked for more inspection than one may');
  if (verdict.unread === 'undecoded')
    return failed(modes.undecoded, 'The body is coded in a way that cannot be read', 'compression');
  if ((verdict.unread === 'oversize' || verdict.unread === 'inflated') && modes.oversize === 'block') {
    return failed('block', 'The body is longer than what is inspected', 'size_limit');
  }
  if (verdict.unread === 'inflated' && modes.oversize === 'inspect') {
    const message = 'The body is longer, once decompressed, than what is inspected';
    return failed(modes.undecoded, message, 'compression');
  }
  const noticed = verdict.matches.some((match) => customRuleIds.has(match.ruleId));
  if (verdict.decision === 'log' || noticed)
    return { kind: 'pass', finding: findingOf(verdict, customRuleIds, micros) };
  return { kind: 'pass' };
}

/** Of what nobody is to be told, rules that log and stand before it are told of all the same. */
function allowed(verdict: Verdict, micros: number, custom: ReadonlySet<string>): Sentence {
  if (!verdict.silent) return { kind: 'pass', allowed: true, finding: findingOf(verdict, custom, micros) };
  const matches = verdict.matches.filter(({ ruleId }) => ruleId !== verdict.decidedBy?.ruleId);
  if (matches.length === 0) return { kind: 'pass', allowed: true };
  const { score, scores } = verdict;
  const logged: Verdict = { decision: 'log', score, scores, matches };
  return { kind: 'pass', allowed: true, finding: findingOf(logged, custom, micros) };
}

/** What is told where no room was left to hold a body or an answer. */
export function memoryUsedUp(mode: 'block' | 'pass'): Finding {
  const message = 'The memory for bodies under inspection is used up';
  return { kind: 'engine', level: 'error', decision: mode, ruleId: 'memory', message };
}

/** What is told of an answer that was to be looked into and cannot be. */
export function answerUnread(mode: 'block' | 'pass'): Finding {
  const message = 'The answer is coded in a way that cannot be read';
  return { kind: 'engine', level: 'error', decision: mode, ruleId: 'compression', message };
}

function failed(mode: 'block' | 'pass', message: string, ruleId = 'engine'): Sentence {
  const finding = { kind: 'engine', level: 'error', decision: mode, ruleId, message } as const;
  return mode === 'block' ? { kind: 'block', finding } : { kind: 'pass', finding };
}
