/** One member of a rule's list of variables, for example `!REQUEST_COOKIES:/__utm/` or `&ARGS:id`. */
export interface TargetSyntax {
  /** upper case */
  readonly variable: string;
  /** `&`: the number of members rather than the members */
  readonly count: boolean;
  /** `!`: leaves out what the others would bring in */
  readonly exclude: boolean;
  readonly selector?: Selector;
}

export type Selector =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'pattern'; readonly source: string };

/** Reads a list of variables separated by `|`; a `|` or `:` inside `/…/` or quotes belongs to the selector. */
export function parseTargets(list: string): TargetSyntax[] {
  return splitTargets(list).map(parseTarget);
}

function splitTargets(list: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let at = 0;
  while (at < list.length) {
    const char = list[at];
    if (char === '|' || char === ',') {
      parts.push(list.slice(start, at));
      start = at + 1;
    } else if (char === ':' && !isXml(list.slice(start, at))) {
      at = endOfSelector(list, at + 1);
      continue;
    }
    at += 1;
  }
  parts.push(list.slice(start));
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function isXml(head: string): boolean {
  return /^\s*[!&]*XML$/i.test(head);
}

function endOfSelector(list: string, start: number): number {
  const opening = /^(?:'\/|\/|')/.exec(list.slice(start, start + 2))?.[0];
  if (opening === undefined) return start;
  const closing = opening === "'/" ? "/'" : opening;
  let at = start + opening.length;
  while (at < list.length && !list.startsWith(closing, at)) at += list[at] === '\\' ? 2 : 1;
  return Math.min(at + closing.length, list.length);
}

function parseTarget(text: string): TargetSyntax {
  const head = /^[!&]*/.exec(text)?.[0] ?? '';
  const body = text.slice(head.length);
  const colon = body.indexOf(':');
  const variable = (colon < 0 ? body : body.slice(0, colon)).trim().toUpperCase();
  const rest = colon < 0 ? '' : body.slice(colon + 1).trim();
  const flags = { variable, count: head.includes('&'), exclude: head.includes('!') };
  return rest === '' ? flags : { ...flags, selector: parseSelector(variable, rest) };
}

function parseSelector(variable: string, text: string): Selector {
  const bare = text.length > 1 && text.startsWith("'") && text.endsWith("'") ? text.slice(1, -1) : text;
  // An XPath begins with a slash too: `XML:/*`, `XML://@*`.
  if (variable !== 'XML' && bare.length > 2 && bare.startsWith('/') && bare.endsWith('/')) {
    return { kind: 'pattern', source: bare.slice(1, -1) };
  }
  return { kind: 'name', name: bare };
}
