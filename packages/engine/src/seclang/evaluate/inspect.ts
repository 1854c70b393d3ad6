import type { SeclangRules } from '../load/index.ts';
import { expand } from '../macros/index.ts';
import type { Disruption, SecRule } from '../program/index.ts';
import { headerValues, type Phase, processorFor, readBody, readEntry } from '../state/index.ts';
import { closeCollections } from './kept.ts';
import { matchChain } from './rule.ts';
import { forgetValues, type Run, type RunInput, report, startRun } from './run.ts';
import type { Intervention, SeclangVerdict } from './verdict.ts';

/**
 * Runs a rule set over a request: phases 1 and 2, over its response phases 3 and 4 when one is given, and
 * last phase 5. A rule that denies ends the inspection, but for phase 5. Never throws on any input.
 */
export function inspectSeclang(rules: SeclangRules, input: RunInput): SeclangVerdict {
  const run = startRun(rules.program, rules.gate, rules.subjects, input);
  run.processor = processorFor(contentTypeOf(run));
  const phases: readonly Phase[] = input.response ? [1, 2, 3, 4] : [1, 2];
  for (const phase of phases) {
    if (run.intervention) break;
    enterPhase(run, phase);
    if (phase > run.allowedThrough) runPhase(run);
  }
  enterPhase(run, 5);
  runPhase(run);
  closeCollections(run);
  return conclude(run);
}

function conclude(run: Run): SeclangVerdict {
  return {
    ...(run.intervention ? { intervention: run.intervention } : {}),
    ...(run.suppressed ? { suppressed: run.suppressed } : {}),
    ...(run.workLeft < 0 || run.gaveUp ? { overBudget: true as const } : {}),
    matches: run.matches,
    variable: (name) => readTx(run, name),
  };
}

function readTx(run: Run, name: string): string | undefined {
  const tx = run.collections.get('TX');
  return tx && readEntry(tx, name);
}

function enterPhase(run: Run, phase: Phase): void {
  run.phase = phase;
  if (phase === 2) openBody(run);
  forgetValues(run);
}

function openBody(run: Run): void {
  if (run.readsBody) run.body = readBody(run.processor, contentTypeOf(run), run.facts.bodyText);
}

const contentTypeOf = ({ request }: Run) => headerValues(request.headers, 'content-type')[0] ?? '';

function runPhase(run: Run): void {
  const rules = run.program.phases[run.phase] ?? [];
  let index = 0;
  while (index < rules.length) {
    const rule = rules[index];
    index += 1;
    if (!rule || run.mode === 'off') continue;
    if (run.removed?.[rule.ordinal] === 1 || !matchChain(run, rule)) continue;
    report(run, rule);
    if (disrupt(run, rule)) return;
    if (rule.jump !== undefined) index = rule.jump;
  }
}

/** @returns whether the phase is over */
function disrupt(run: Run, rule: SecRule): boolean {
  const { disruption } = rule;
  if (disruption.kind === 'pass') return false;
  if (disruption.kind === 'allow') return allow(run, disruption);
  const intervention = intervene(run, rule, disruption);
  // Phase 5 comes when everything is said; it can only be reported.
  if (run.phase === 5) return false;
  if (run.mode === 'on') {
    run.intervention = intervention;
    return true;
  }
  run.suppressed ??= intervention;
  return false;
}

function allow(run: Run, { scope }: Extract<Disruption, { kind: 'allow' }>): boolean {
  if (run.mode !== 'on') return false;
  if (scope === 'transaction') run.allowedThrough = 4;
  if (scope === 'request') run.allowedThrough = 2;
  return true;
}

function intervene(
  run: Run,
  rule: SecRule,
  disruption: Exclude<Disruption, { kind: 'pass' | 'allow' }>,
): Intervention {
  const { kind, status } = disruption;
  const base = { kind, status, ruleId: rule.id, phase: run.phase };
  return kind === 'redirect' ? { ...base, location: expand(disruption.location, run) } : base;
}
