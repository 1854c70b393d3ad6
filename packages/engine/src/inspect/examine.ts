import { lowercase } from '../decode/index.ts';
import {
  before,
  goesOn,
  noLook,
  parseJson,
  readableTexts,
  readGraphql,
  targetName,
  type Value,
} from '../parse/index.ts';
import { base64Texts, shortestBase64 } from './base64-texts.ts';
import { nameRole, partBit, placeOf, valueRole, watchFor } from './compile.ts';
import { type Looked, lookAt } from './look.ts';
import { inOnePiece } from './one-piece.ts';
import { gzipClass } from './openings.ts';
import { appliesTo, hitsOf, type Run, recordMatch } from './run.ts';
import { maxRounds, steps, unfoldRound } from './unfold.ts';
import type { Unit } from './unit.ts';
import { namesSaml, wrappedTexts } from './wrapped-texts.ts';

/** Rules see longer texts in windows, which overlap so that nothing of ordinary length is cut in two. */
const windowSize = 8192;
const windowStep = windowSize - 512;
/** from here on a value is worth the look whether it is text at all */
const longValue = 4096;
/** how deep JSON in base64 in JSON … is followed */
const maxNesting = 4;

/** Runs every rule of the policy on one value and on all that it decodes to. */
export function examineValue(run: Run, value: Value): void {
  if (value.part !== 'header' || value.isName || !run.policy.gated || run.trace) {
    examine(run, value, 0, 0);
    return;
  }
  if (run.ownHost && value.name === 'host') return;
  const { memory } = run.policy;
  if (memory.knows(value.name, value.text)) return;
  examine(run, value, 0, 0);
  // A rule matches once a request: after any match, silence about this value would prove nothing.
  if (run.matches.length === 0 && run.exceptions.length === 0 && !run.overBudget) {
    memory.learn(value.name, value.text);
  }
}

/** Shorter texts are scanned sooner than found, and looked up only where a rule would run. */
const repeatedLength = 20;

/**
 * Examines a text, unless the request held it before in a like place: a rule matches once a request, so the same
 * text has nothing more to give, wherever rules don't ask under which name it stands.
 */
function examine(run: Run, value: Value, round: number, nesting: number): void {
  const { text } = value;
  if (text.length < 2 || run.overBudget) return;
  if (!run.seen || round > 0 || text.length < repeatedLength || namesSaml(value.name)) {
    examineText(run, value, round, nesting);
    return;
  }
  const place = placeOfText(value, nesting);
  if (run.seen.examined.has(place, text)) return;
  const before = run.namedChecks;
  examineText(run, value, round, nesting);
  if (run.namedChecks === before && !run.overBudget) run.seen.examined.add(place, text);
}

/** Where readers treat a text alike; a name of SAML within JSON is one only where nothing stands before it. */
function placeOfText(value: Value, nesting: number): number {
  const place = placeOf(value.part, value.isName) + nesting * 64;
  return place + (isGraphql(value) ? 512 : 0) + (value.name === '' ? 1024 : 0);
}

function examineText(run: Run, value: Value, round: number, nesting: number): void {
  const { text } = value;
  if (nesting < maxNesting && looksLikeJson(value) && examineJson(run, value, nesting)) return;
  if (nesting < maxNesting && text.charCodeAt(text.length - 1) === 125 && examineGraphql(run, value, nesting))
    return;
  if (round === 0 && text.length >= longValue && examineReadable(run, value, nesting)) return;
  const length = Math.min(text.length, run.policy.limits.maxValueBytes);
  run.work += length + workOfText;
  if (run.work >= run.askAt && isExhausted(run)) return;
  let wanted = 0;
  for (let start = 0; ; start += windowStep) {
    const end = Math.min(start + windowSize, length);
    wanted |= examineWindow(run, value, start, end);
    if (end === length) break;
  }
  // An upload is judged as the bytes that will be stored, and nobody decodes those.
  if (value.part === 'file') return;
  if (round < maxRounds && (wanted & allSteps) !== 0) {
    const next = unfoldRound(text, (step) => (wanted & (1 << step)) !== 0);
    if (next)
      examine(run, derived(value, next.text, [...value.decoders, ...next.decoders]), round + 1, nesting);
  }
  if (nesting >= maxNesting || text.length < shortestBase64 || value.part === 'document') return;
  for (const decoded of base64Texts(value.source, value.at, value.at + text.length))
    examine(run, derived(value, decoded, [...value.decoders, 'base64Decode']), round, nesting + 1);
  if (value.part === 'path') examineSegments(run, value, round, nesting);
  for (const wrapped of wrappedTexts(value, (wanted & (1 << gzipClass)) !== 0 || length < text.length)) {
    const decoders = [...value.decoders, ...wrapped.decoders];
    examine(run, derived(value, wrapped.text, decoders), round, nesting + 1);
  }
}

/** A slash is a character of base64 too, so that a segment of a path is read for itself. */
function examineSegments(run: Run, value: Value, round: number, nesting: number): void {
  const end = value.at + value.text.length;
  for (let from = value.at; from < end; ) {
    const slash = value.source.indexOf('/', from);
    const to = slash < 0 ? end : Math.min(slash, end);
    if (from > value.at && to - from >= shortestBase64)
      for (const decoded of base64Texts(value.source, from, to))
        examine(run, derived(value, decoded, [...value.decoders, 'base64Decode']), round, nesting + 1);
    from = to + 1;
  }
}

/** What a value holds in another form. */
function derived({ part, name, isName }: Value, text: string, decoders: readonly string[]): Value {
  return { part, name, isName, text, source: text, at: 0, decoders };
}

/** what a text costs beside its bytes, in bytes */
const workOfText = 64;
/** A clock is read in the time that ten short texts take. */
const workBetweenAsking = 4096;

function isExhausted(run: Run): boolean {
  run.askAt = run.work + workBetweenAsking;
  run.overBudget = run.exhausted?.() ?? false;
  return run.overBudget;
}

/**
 * Examines what reads as text in a long value that is binary in parts, such as bytes in a string of JSON.
 * @returns false when the value is text throughout
 */
function examineReadable(run: Run, value: Value, nesting: number): boolean {
  if (value.part === 'file' || value.part === 'document') return false;
  const texts = readableTexts(value.text);
  if (texts[0] === value.text) return false;
  for (const text of texts) examine(run, derived(value, text, value.decoders), 0, nesting + 1);
  return true;
}

/** Braces or brackets around something: then its strings are inspected one by one. */
function looksLikeJson({ text, part }: Value): boolean {
  const first = text.charCodeAt(0);
  if ((first !== 123 && first !== 91) || part === 'file') return false;
  const last = text.charCodeAt(text.length - 1);
  return last === (first === 123 ? 125 : 93);
}

function examineJson(run: Run, value: Value, nesting: number): boolean {
  const values: Value[] = [];
  let passedOver = 0;
  const { maxDepth, maxArguments } = run.policy.limits;
  const { part, name, decoders } = value;
  const { skim } = run;
  const pass = (): boolean => {
    passedOver += 1;
    return values.length + passedOver <= maxArguments;
  };
  const look = skim ? { at: skim.look, pass } : noLook;
  run.heads ??= new Map();
  const head = run.heads.get(part) ?? before();
  run.heads.set(part, head);
  const context = { part, name, decoders, maxDepth, look, head };
  const outcome = parseJson(value.text, context, (one) => values.push(one) + passedOver <= maxArguments);
  if (!outcome.wellFormed) return false;
  for (const one of values) examine(run, one, 0, nesting + 1);
  return true;
}

/** The strings of a GraphQL document are arguments; the quotes around them are not the attacker's. */
function examineGraphql(run: Run, value: Value, nesting: number): boolean {
  if (value.part === 'file' || value.part === 'document' || isGraphql(value)) return false;
  const document = readGraphql(value.text);
  if (!document) return false;
  const decoders = [...value.decoders, 'graphql'];
  for (const text of [document.frame, ...document.strings]) {
    examine(run, derived(value, text, decoders), 0, nesting + 1);
  }
  return true;
}

/** Whether it was read out of a document of GraphQL, and is none itself. */
function isGraphql({ decoders }: Value): boolean {
  return decoders.includes('graphql');
}

const allSteps = (1 << gzipClass) - 1;

/** @returns bits of the decoding steps that can change what stands in this window, and of {@link gzipClass} */
function examineWindow(run: Run, value: Value, start: number, end: number): number {
  const { policy } = run;
  const { text, source } = value;
  const isWhole = start === 0 && end === text.length;
  if (!policy.gated) {
    const whole = windowOf(text, start, end);
    runUnits(run, policy.units, value, whole);
    return naivelyWanted(whole);
  }
  const look = value.look as Looked | undefined;
  const known = isWhole && look !== undefined && look.wanted >= 0;
  const { wanted, opened } = known ? look : lookInto(run, value, start, end);
  if (opened) {
    const seen = isWhole ? text : windowOf(text, start, end);
    runOpened(run, opened, value, seen === source ? seen : inOnePiece(seen));
  }
  return wanted;
}

function lookInto(
  { policy, hits }: Run,
  { source, at, part, isName }: Value,
  start: number,
  end: number,
): Looked {
  const watch = watchFor(policy, part);
  return lookAt(watch, watch === policy ? hits : hitsOf(watch), source, at + start, at + end, part, isName);
}

function windowOf(text: string, start: number, end: number): string {
  return start === 0 ? text.slice(0, end) : goesOn + text.slice(start, end);
}

/** A short text has been scanned by now and may have to be decoded, but rules that saw it have no more to say. */
function runOpened(run: Run, opened: readonly Unit[], value: Value, text: string): void {
  if (!run.seen || value.text.length >= repeatedLength) {
    runUnits(run, opened, value, text);
    return;
  }
  const place = placeOf(value.part, value.isName);
  if (run.seen.judged.has(place, value.text)) return;
  const before = run.namedChecks;
  runUnits(run, opened, value, text);
  if (run.namedChecks === before) run.seen.judged.add(place, value.text);
}

/** Which steps a text triggers, found without the automaton; whatever may be compressed is looked for. */
function naivelyWanted(text: string): number {
  const folded = lowercase(text);
  return steps.reduce(
    (bits, { triggers }, step) =>
      triggers.some((one) => folded.includes(typeof one === 'string' ? one : one.text))
        ? bits | (1 << step)
        : bits,
    1 << gzipClass,
  );
}

function runUnits(run: Run, units: readonly Unit[], value: Value, text: string): void {
  const part = partBit(value.part);
  const role = value.isName ? nameRole : valueRole;
  const before = run.matches.length;
  for (const unit of units) {
    if ((unit.parts & part) === 0 || (unit.roles & role) === 0) continue;
    const named = (unit.namedParts & part) !== 0;
    if (unit.detector) runDetector(run, unit, value, text, named);
    else runPattern(run, unit, value, text, named);
  }
  if (!run.trace) return;
  run.trace.push({
    target: targetName(value),
    decoders: value.decoders,
    text: text.slice(0, 512),
    evaluated: units.flatMap((unit) => unit.rules.map((rule) => rule.id)),
    matched: run.matches.slice(before).map((match) => match.ruleId),
  });
}

function runPattern(run: Run, unit: Unit, value: Value, text: string, named: boolean): void {
  const [rule] = unit.rules;
  if (rule?.operator.kind !== 'pattern' || run.matchedRules.has(rule)) return;
  const applies = appliesTo(rule, value);
  const found = applies ? rule.operator.pattern.exec(text) : null;
  if (named && (!applies || found)) run.namedChecks += 1;
  if (found)
    recordMatch(run, rule, value, text, [found.index, found.index + found[0].length], value.decoders);
}

function runDetector(run: Run, unit: Unit, value: Value, text: string, named: boolean): void {
  if (!unit.detector || unit.rules.every((rule) => run.matchedRules.has(rule))) return;
  const findings = unit.detector.detect(text);
  // Where nothing is found, it would not be under another name.
  if (named && findings.length > 0) run.namedChecks += 1;
  for (const finding of findings) {
    for (const rule of unit.rules) {
      if (
        rule.operator.kind !== 'detect' ||
        rule.operator.finding !== finding.kind ||
        !appliesTo(rule, value)
      )
        continue;
      recordMatch(run, rule, value, text, finding.span, value.decoders);
    }
  }
}
