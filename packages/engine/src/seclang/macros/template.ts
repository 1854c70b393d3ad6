/** A text with `%{…}` in it, read once when the rules are loaded. */
export interface Template {
  readonly source: string;
  readonly parts: readonly (string | Macro)[];
}

/** `%{tx.score}`: the variable in upper case, and the key as written. */
export interface Macro {
  readonly variable: string;
  readonly key: string | undefined;
}

/** Where macros get their values from. */
export interface MacroSource {
  /** the first value of a variable, latin1; empty when there is none */
  readonly lookup: (variable: string, key: string | undefined) => string;
}

/** Reads the macros of a text. A `%{` without its `}` is plain text. */
export function parseTemplate(source: string): Template {
  const parts: (string | Macro)[] = [];
  let copied = 0;
  for (const found of source.matchAll(/%\{([^}]+)\}/g)) {
    if (found.index > copied) parts.push(source.slice(copied, found.index));
    const inner = found[1] ?? '';
    const split = inner.search(/[.:]/);
    parts.push({
      variable: (split < 0 ? inner : inner.slice(0, split)).trim().toUpperCase(),
      key: split < 0 ? undefined : inner.slice(split + 1).trim(),
    });
    copied = found.index + found[0].length;
  }
  if (copied < source.length) parts.push(source.slice(copied));
  return { source, parts };
}

/** Whether a text is the same for every request. */
export function isConstant(template: Template): boolean {
  return template.parts.every((part) => typeof part === 'string');
}

/** The text with every macro replaced by its present value. */
export function expand(template: Template, source: MacroSource): string {
  if (template.parts.length === 1 && typeof template.parts[0] === 'string') return template.parts[0];
  let text = '';
  for (const part of template.parts) {
    text += typeof part === 'string' ? part : source.lookup(part.variable, part.key);
  }
  return text;
}
