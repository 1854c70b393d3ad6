import { requiredLiterals } from '../../pattern/index.ts';
import { expand, isConstant, type MacroSource, parseTemplate } from '../macros/index.ts';
import { type TranslatedPattern, translatePcre } from '../regex/index.ts';
import { type Build, built, type Found, refused } from './operator.ts';

/** `@rx`: a Perl-compatible pattern. One that holds macros is compiled when its text is known. */
export const rx: Build = (argument) => {
  const template = parseTemplate(argument);
  if (!isConstant(template)) {
    const compiled = new Map<string, TranslatedPattern | undefined>();
    return built((text, macros) => run(late(expand(template, macros), compiled), text));
  }
  const translation = translatePcre(argument);
  if (!translation.ok) return refused(`the pattern can't be translated: ${translation.reason}`);
  const { pattern } = translation;
  const required = requiredLiterals(pattern.regex);
  return built((text: string, _macros: MacroSource) => run(pattern, text), required);
};

/** Longer texts are searched in overlapping windows, in characters. */
const windowLength = 8192;
const windowOverlap = 2048;

function run(pattern: TranslatedPattern | undefined, text: string): Found | undefined {
  if (!pattern) return undefined;
  const match =
    text.length > 2 * windowLength && !pattern.anchored
      ? searchWindows(pattern.regex, text)
      : pattern.regex.exec(text);
  return match ? pattern.groups.map((index) => match[index] ?? '') : undefined;
}

/**
 * V8 backtracks without a limit, where PCRE gives up after one, and many patterns take time that grows with
 * the square of the text. Windows make that linear in the text; only a match longer than the overlap can be
 * missed.
 */
function searchWindows(regex: RegExp, text: string): RegExpExecArray | null {
  for (let start = 0; start < text.length; start += windowLength - windowOverlap) {
    const match = regex.exec(text.slice(start, start + windowLength));
    if (match) return match;
  }
  return null;
}

/** Patterns with macros take few shapes in practice; the bound keeps a client from growing the table. */
const maxLate = 64;

function late(source: string, compiled: Map<string, TranslatedPattern | undefined>) {
  if (!compiled.has(source)) {
    if (compiled.size >= maxLate) compiled.clear();
    const translation = translatePcre(source);
    compiled.set(source, translation.ok ? translation.pattern : undefined);
  }
  return compiled.get(source);
}
