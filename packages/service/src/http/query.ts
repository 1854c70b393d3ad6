import { parse } from 'node:querystring';

/**
 * The parameters of a query that say something. A form leaves `level=` for what nobody chose, and that asks for no
 * level, not for one without a name.
 * @param text what stands after the question mark
 */
export function readQuery(text: string): Record<string, string | string[]> {
  const given: [string, string | string[]][] = [];
  for (const [name, value] of Object.entries(parse(text))) {
    if (value !== undefined && value !== '') given.push([name, value]);
  }
  return Object.fromEntries(given);
}
