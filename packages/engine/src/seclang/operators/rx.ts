import { expand, isConstant, parseTemplate } from '../macros/index.ts';
import { compilePcre, type SafePattern } from '../regex/index.ts';
import { type Build, built, refused } from './operator.ts';

/** `@rx`: a Perl-compatible pattern. One that holds macros is compiled when its text is known. */
export const rx: Build = (argument) => {
  const template = parseTemplate(argument);
  if (!isConstant(template)) {
    const compiled = new Map<string, SafePattern | undefined>();
    return built((text, context) => late(expand(template, context), compiled)?.exec(text, context));
  }
  const compiled = compilePcre(argument);
  if (!compiled.ok) return refused(`the pattern can't be translated: ${compiled.reason}`);
  const { exec, required } = compiled.pattern;
  return built(exec, required);
};

/** Patterns with macros take few shapes in practice; the bound keeps a client from growing the table. */
const maxLate = 64;

/** What a client puts into a pattern by way of a macro is not compiled beyond this. */
const maxLateLength = 8192;

function late(source: string, compiled: Map<string, SafePattern | undefined>): SafePattern | undefined {
  if (source.length > maxLateLength) return undefined;
  if (!compiled.has(source)) {
    if (compiled.size >= maxLate) compiled.clear();
    const outcome = compilePcre(source);
    compiled.set(source, outcome.ok ? outcome.pattern : undefined);
  }
  return compiled.get(source);
}
