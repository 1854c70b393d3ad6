/** One action of a rule: `setvar:'tx.a=1'` is `{ name: 'setvar', value: 'tx.a=1' }`. */
export interface ActionSyntax {
  /** lower case */
  readonly name: string;
  /** without its quotes; empty when there is none */
  readonly value: string;
}

/** Reads a list of actions separated by commas; a comma inside single quotes belongs to the value. */
export function parseActions(list: string): ActionSyntax[] {
  const actions: ActionSyntax[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at <= list.length; at += 1) {
    const char = list[at];
    if (quoted && char === '\\') at += 1;
    else if (char === "'") quoted = !quoted;
    if (at < list.length && (quoted || char !== ',')) continue;
    const action = parseAction(list.slice(start, at));
    if (action) actions.push(action);
    start = at + 1;
  }
  return actions;
}

function parseAction(text: string): ActionSyntax | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const colon = trimmed.indexOf(':');
  if (colon < 0) return { name: trimmed.toLowerCase(), value: '' };
  return { name: trimmed.slice(0, colon).trim().toLowerCase(), value: unquote(trimmed.slice(colon + 1)) };
}

function unquote(text: string): string {
  const value = text.trim();
  const bare = value.length > 1 && value.startsWith("'") && value.endsWith("'") ? value.slice(1, -1) : value;
  return bare.replaceAll("\\'", "'");
}
