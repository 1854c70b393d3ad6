import { findTransformation, percentDecode, urlDecode } from '../decode/index.ts';
import {
  canonicalPath,
  type InspectedRequest,
  isAmbiguousPath,
  type Part,
  type Value,
} from '../parse/index.ts';
import type { Comparison, Condition, Operator, Rule } from '../rules/index.ts';
import { cidrContains } from './cidr.ts';
import { type Run, recordMatch, wants } from './run.ts';
import type { Verdict } from './verdict.ts';

type CustomDecision = Omit<Verdict, 'matches'>;

/** Runs operators' own rules in their order; the first that does more than log decides. */
export function decideCustom(run: Run, request: InspectedRequest): CustomDecision | undefined {
  for (const rule of run.policy.customRules) {
    const found = evaluate(run, request, rule, rule.verdict?.action === 'allow');
    if (!found || !rule.verdict || leadsToItself(rule.verdict, request)) continue;
    const before = run.matches.length;
    recordMatch(run, rule, found.value, found.value.text, found.span, found.value.decoders);
    if (run.matches.length === before || rule.verdict.action === 'log') continue;
    const { action, location, silent } = rule.verdict;
    return {
      decision: action,
      ...(location !== undefined && { location }),
      ...(silent && { silent }),
      decidedBy: { ruleId: rule.id, ...(rule.category && { category: rule.category }) },
      score: rule.score,
      scores: {},
    };
  }
  return undefined;
}

/**
 * Whether a redirect would send a client to what it asks for already, and so for ever. One of POST does not: clients
 * follow it with GET (RFC 9110 §15.4.3).
 */
function leadsToItself(
  { location }: NonNullable<Rule['verdict']>,
  { method, scheme, target, headers }: InspectedRequest,
): boolean {
  if (!location?.isWellFormed() || method === 'POST') return false;
  // As it is sent: bytes that an address cannot have as they are go encoded, and what follows # stays with the client.
  const [wanted = ''] = location.replaceAll(/[^\x21-\x7e]/gu, encodeURIComponent).split('#', 1);
  if (wanted.startsWith('/')) return wanted === target;
  const host = headers.find(([name]) => name.toLowerCase() === 'host')?.[1] ?? '';
  const origin = `${scheme}://${host.toLowerCase()}`;
  if (wanted.slice(0, origin.length).toLowerCase() !== origin) return false;
  const rest = wanted.slice(origin.length);
  return rest.startsWith('/') ? rest === target : /^(?:\?|$)/.test(rest) && `/${rest}` === target;
}

interface Found {
  readonly value: Value;
  readonly span: readonly [start: number, end: number];
}

/** @param every whether each way in which the path may be read must meet the condition, and not any of them */
function evaluate(
  run: Run,
  request: InspectedRequest,
  condition: Condition,
  every: boolean,
): Found | undefined {
  const { operator, targets } = condition;
  if (operator.kind === 'combine') {
    let first: Found | undefined;
    for (const part of operator.parts) {
      const found = evaluate(run, request, part, every);
      if (!found && operator.combinator === 'AND') return undefined;
      if (found && operator.combinator === 'OR') return found;
      first ??= found;
    }
    return first;
  }
  const ofPath = every && targets.some(({ part }) => part === 'path');
  if (ofPath && isAmbiguousPath(run.parsed.path)) return undefined;
  const needsAll = ofPath && !condition.negate;
  let met: Found | undefined;
  let last: Value | undefined;
  for (const value of candidates(run, request, condition, ofPath)) {
    const text = condition.transformations.reduce(
      (so, name) => findTransformation(name)?.(so) ?? so,
      value.text,
    );
    const span = matchSpan(operator, text);
    last =
      text === value.text
        ? value
        : {
            ...value,
            text,
            source: text,
            at: 0,
            decoders: [...value.decoders, ...condition.transformations],
          };
    if (!span && needsAll) return undefined;
    if (!span) continue;
    if (condition.negate) return undefined;
    met ??= { value: last, span };
    if (!needsAll) return met;
  }
  if (!condition.negate) return met;
  const [target] = targets;
  const value = last ?? {
    part: target?.part ?? 'path',
    name: target?.name ?? '',
    isName: false,
    text: '',
    source: '',
    at: 0,
    decoders: [],
  };
  return { value, span: [0, value.text.length] };
}

function matchSpan(operator: Operator, text: string): readonly [number, number] | undefined {
  switch (operator.kind) {
    case 'compare':
      return compareSpan(operator.comparison, operator.value, text);
    case 'linear': {
      const end = operator.pattern.matchEnd(text);
      return end < 0 ? undefined : [0, end];
    }
    case 'pattern': {
      const found = operator.pattern.exec(text);
      return found ? [found.index, found.index + found[0].length] : undefined;
    }
    case 'detect': {
      const { finding } = operator;
      return operator.detector.detect(text).find(({ kind }) => kind === finding)?.span;
    }
    default:
      return undefined;
  }
}

function compareSpan(
  comparison: Comparison,
  wanted: string,
  text: string,
): readonly [number, number] | undefined {
  const whole = [0, text.length] as const;
  switch (comparison) {
    case 'equals':
      return text === wanted ? whole : undefined;
    case 'starts_with':
      return text.startsWith(wanted) ? [0, wanted.length] : undefined;
    case 'ends_with':
      return text.endsWith(wanted) ? [text.length - wanted.length, text.length] : undefined;
    case 'contains': {
      const at = text.indexOf(wanted);
      return at < 0 ? undefined : [at, at + wanted.length];
    }
    case 'cidr':
      return cidrContains(wanted, text) ? whole : undefined;
  }
}

/** An encoded character that parts a path, so that who decodes it reads another one than who does not. */
const encodedSyntax = /%(?:2[ef5]|3b|5c)/i;

/**
 * Every text that a custom rule's target stands for: wholes as well as the pieces they were taken apart into.
 * @param everyPath whether all readings of the path must meet the rule: as it was sent it is another one only where what
 *   was encoded parts it
 */
function* candidates(
  run: Run,
  request: InspectedRequest,
  { targets, negate }: Condition,
  everyPath: boolean,
): Generator<Value> {
  const { parsed } = run;
  const whole = (part: Part, text: string, name = ''): Value => ({
    part,
    name,
    isName: false,
    text,
    source: text,
    at: 0,
    decoders: [],
  });
  for (const target of targets) {
    if (target.part === 'method') yield whole('method', request.method);
    else if (target.part === 'ip') yield whole('ip', request.clientIp);
    else if (target.part === 'target') yield whole('target', request.target);
    else if (target.part === 'path') {
      yield whole('path', percentDecode(parsed.path));
      if (everyPath ? encodedSyntax.test(parsed.path) : parsed.path.includes('%'))
        yield whole('path', parsed.path);
      const canonical = canonicalPath(parsed.path);
      if (canonical !== parsed.path) yield whole('path', canonical);
    } else if (target.part === 'header') {
      for (const [sent, text] of request.headers) {
        const name = sent.toLowerCase();
        if (target.name !== undefined && target.name !== name) continue;
        yield whole('header', text, name);
        if (target.name === undefined) yield whole('header', `${name}: ${text}`, name);
      }
    } else if (target.part === 'query' && target.name !== undefined) {
      for (const text of valuesOf(parsed.query, target.name)) yield whole('query', text, target.name);
    } else {
      if (target.part === 'query' && parsed.query !== '') yield whole('query', urlDecode(parsed.query));
      if (target.part === 'body' && parsed.body !== '') yield whole('body', parsed.body);
      // What a rule wants to be there counts where it is read, not in the name of what was compressed.
      if (target.part === 'body' && parsed.sent !== undefined && !negate) yield whole('body', parsed.sent);
      for (const value of parsed.values) if (value.part !== 'header' && wants(target, value)) yield value;
    }
  }
}

/**
 * What a query holds under a name, empty texts too: `a`, `a=` and `a=b` all are the parameter `a`. Beyond the bound on
 * arguments as well, for a rule that padding leads past is none.
 * @see WHATWG URL §5.1
 */
function* valuesOf(query: string, name: string): Generator<string> {
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=');
    const end = equals < 0 ? pair.length : equals;
    if (pair !== '' && urlDecode(pair.slice(0, end)) === name) yield urlDecode(pair.slice(end + 1));
  }
}
