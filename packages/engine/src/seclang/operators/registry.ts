import { isConstant, parseTemplate } from '../macros/index.ts';
import type { OperatorSyntax } from '../syntax/index.ts';
import { askingOutside, noMatch, unconditionalMatch } from './always.ts';
import { detectSqli } from './detect-sqli.ts';
import { detectXss } from './detect-xss.ts';
import { ipMatch, ipMatchFromFile } from './ip-match.ts';
import { eq, ge, gt, le, lt } from './numbers.ts';
import type { Build, Operator, OperatorFiles } from './operator.ts';
import { pm, pmFromFile } from './phrases.ts';
import { rx } from './rx.ts';
import { beginsWith, contains, containsWord, endsWith, streq, within } from './text.ts';
import { validateByteRange } from './validate-byte-range.ts';
import { validateUrlEncoding, validateUtf8Encoding } from './validate-encoding.ts';
import { verifyCard } from './verify-card.ts';

const builders: ReadonlyMap<string, Build> = new Map<string, Build>([
  ['rx', rx],
  ['rxglobal', rx],
  ['pm', pm],
  ['pmf', pmFromFile],
  ['pmfromfile', pmFromFile],
  ['contains', contains],
  ['containsword', containsWord],
  ['beginswith', beginsWith],
  ['endswith', endsWith],
  ['streq', streq],
  ['strmatch', contains],
  ['within', within],
  ['eq', eq],
  ['ge', ge],
  ['gt', gt],
  ['le', le],
  ['lt', lt],
  ['ipmatch', ipMatch],
  ['ipmatchf', ipMatchFromFile],
  ['ipmatchfromfile', ipMatchFromFile],
  ['validatebyterange', validateByteRange],
  ['validateurlencoding', validateUrlEncoding],
  ['validateutf8encoding', validateUtf8Encoding],
  ['verifycc', verifyCard],
  ['detectsqli', detectSqli],
  ['detectxss', detectXss],
  ['unconditionalmatch', unconditionalMatch],
  ['nomatch', noMatch],
  ['rbl', askingOutside],
  ['geolookup', askingOutside],
  ['gsblookup', askingOutside],
  ['inspectfile', askingOutside],
  ['fuzzyhash', askingOutside],
]);

export type OperatorOutcome =
  | { readonly ok: true; readonly operator: Operator; readonly notice?: string }
  | { readonly ok: false; readonly reason: string };

/** Makes a rule's operator ready to run; says why where it can't. */
export function buildOperator(syntax: OperatorSyntax, files: OperatorFiles): OperatorOutcome {
  const build = builders.get(syntax.name);
  if (!build) return { ok: false, reason: `the operator @${syntax.name} is not known` };
  const outcome = build(syntax.argument, files);
  if (!outcome.ok) return { ok: false, reason: `@${syntax.name}: ${outcome.reason}` };
  const constant = isConstant(parseTemplate(syntax.argument));
  const operator = { name: syntax.name, negated: syntax.negated, constant, ...outcome.built };
  return outcome.notice === undefined
    ? { ok: true, operator }
    : { ok: true, operator, notice: `@${syntax.name} ${outcome.notice}` };
}
