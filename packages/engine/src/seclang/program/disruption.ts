import { parseTemplate } from '../macros/index.ts';
import type { ActionSyntax } from '../syntax/index.ts';
import type { Disruption } from './rule.ts';

/** The value of the last action of that name. */
export const lastValue = (actions: readonly ActionSyntax[], name: string): string | undefined =>
  actions.findLast((one) => one.name === name)?.value;

/** Actions of which the last decides what becomes of the request. */
export const disruptive: ReadonlySet<string> = new Set([
  'pass',
  'deny',
  'drop',
  'redirect',
  'allow',
  'block',
  'proxy',
]);

/** What a rule's actions, after its defaults, do to a request that matches. */
export function readDisruption(all: readonly ActionSyntax[], defaults: readonly ActionSyntax[]): Disruption {
  const last = all.findLast(({ name }) => disruptive.has(name));
  // `block` stands for whatever the defaults say.
  const chosen = last?.name === 'block' ? defaults.findLast(({ name }) => disruptive.has(name)) : last;
  const status = Number(lastValue(all, 'status') ?? 403);
  switch (chosen?.name) {
    case 'deny':
    case 'drop':
      return { kind: chosen.name, status };
    // Handing the request to another server is not for the engine: it is refused instead.
    case 'proxy':
      return { kind: 'deny', status };
    case 'redirect':
      return {
        kind: 'redirect',
        status: status >= 300 && status < 400 ? status : 302,
        location: parseTemplate(chosen.value),
      };
    case 'allow':
      return {
        kind: 'allow',
        scope: chosen.value === 'phase' || chosen.value === 'request' ? chosen.value : 'transaction',
      };
    default:
      return { kind: 'pass' };
  }
}
