import type { Found } from '../operators/index.ts';
import {
  type CollectionEntryTarget,
  clearBit,
  hasBit,
  type SecRule,
  severityNumber,
} from '../program/index.ts';
import {
  type Bits,
  type Field,
  fieldName,
  type Matched,
  type Subject,
  transform,
  transformAll,
  writeEntry,
} from '../state/index.ts';
import { applyEffects } from './effects.ts';
import { fieldsOf, isMeant } from './fields.ts';
import type { Run } from './run.ts';

/** Evaluates a rule and, as long as each link matches, its chain. @returns whether all of it matched */
export function matchChain(run: Run, head: SecRule): boolean {
  for (let link: SecRule | undefined = head; link; link = link.next) {
    if (!matchLink(run, link, head)) return false;
  }
  const severity = severityNumber(head.facts.severity);
  if (severity < run.highestSeverity) run.highestSeverity = severity;
  return true;
}

function matchLink(run: Run, link: SecRule, head: SecRule): boolean {
  const { targets } = link;
  if (!targets) {
    run.rule = head.current;
    applyEffects(run, link.effects);
    return true;
  }
  if (targets.entry && link.chain.numbers.length === 0 && !run.withheld)
    return matchEntry(run, link, head, targets.entry);
  const fields = fieldsOf(run, targets);
  if (fields.length === 0 || (link.group >= 0 && !isGroupHit(run, link, fields))) return false;
  const withheld = run.withheld?.get(head.ordinal);
  const matched: Matched[] = [];
  for (const field of fields) {
    if (withheld?.some((matcher) => isMeant(matcher, field))) continue;
    if (link.multiMatch) matchEachStep(run, link, head, field, matched);
    else matchSubject(run, link, head, field, transformAll(field.subject, link.chain), matched);
  }
  if (matched.length === 0) return false;
  run.matched = matched;
  return true;
}

/** The short way of most rules that only steer others: they ask one variable of TX, as it stands. */
function matchEntry(run: Run, link: SecRule, head: SecRule, entry: CollectionEntryTarget): boolean {
  const { operator } = link;
  const value = run.collections.get(entry.collection)?.entries.get(entry.lower)?.value;
  if (value === undefined && !entry.count) return false;
  const text = entry.count ? (value === undefined ? '0' : '1') : (value ?? '');
  const found = operator.test(text, run);
  if ((found === undefined) !== operator.negated) return false;
  const match = { name: entry.fullName, value: text };
  run.matched = [match];
  noteMatch(run, link, head, match, found);
  return true;
}

function noteMatch(run: Run, link: SecRule, head: SecRule, match: Matched, found: Found | undefined): void {
  run.lastMatch = match;
  run.rule = head.current;
  if (link.capture && found) capture(run, found);
  applyEffects(run, link.effects);
}

/** Whether the gates of any of the values let the rule through; asked once for all rules of the group. */
function isGroupHit(run: Run, link: SecRule, fields: readonly Field[]): boolean {
  const groups = link.targets?.fixed ? run.fixedGroups : run.groups;
  let union = groups[link.group];
  if (!union) {
    for (const field of fields) {
      const bits = run.gate.bitsOf(transformAll(field.subject, link.chain));
      if (union) addBits(union, bits);
      else union = bits.slice();
    }
    union ??= [];
    groups[link.group] = union;
  }
  return hasBit(union, link.gateBit);
}

function addBits(union: Bits, bits: Bits): void {
  for (let word = 0; word < union.length; word += 1) union[word] = (union[word] ?? 0) | (bits[word] ?? 0);
}

function matchEachStep(run: Run, link: SecRule, head: SecRule, field: Field, matched: Matched[]): void {
  let subject = field.subject;
  matchSubject(run, link, head, field, subject, matched);
  for (const number of link.chain.numbers) {
    const next = transform(subject, number);
    if (next !== subject) matchSubject(run, link, head, field, next, matched);
    subject = next;
  }
}

function matchSubject(
  run: Run,
  link: SecRule,
  head: SecRule,
  field: Field,
  subject: Subject,
  matched: Matched[],
): void {
  const { operator, gateBit } = link;
  const gates = gateBit >= 0 ? run.gate.bitsOf(subject) : undefined;
  if (gates && !hasBit(gates, gateBit)) return;
  if (run.workLeft < 0) return;
  run.workLeft -= subject.text.length;
  // Only what is long can take long, so only there is the clock asked.
  if (subject.text.length > 64 && (run.context.now?.() ?? 0) > run.endsAtMs) run.workLeft = -1;
  const found = operator.test(subject.text, run);
  if ((found === undefined) !== operator.negated) {
    // Headers come again and again, and their subjects with them. What was given up is not known.
    if (gates && operator.constant && !run.gaveUp) clearBit(gates, gateBit);
    return;
  }
  const match = { name: fieldName(field), value: subject.text };
  matched.push(match);
  noteMatch(run, link, head, match, found);
}

/** TX:0 to TX:9 hold what the last capturing rule found, and nothing of earlier ones. */
function capture(run: Run, found: Found): void {
  const tx = run.collections.get('TX');
  if (!tx) return;
  for (let index = 0; index < 10; index += 1) writeEntry(tx, String(index), found[index]);
}
