import { type Directive, parseActions, parseOperator, parseTargets } from '../syntax/index.ts';
import type { Configuration, RawRule } from './configuration.ts';

/** SecRule VARIABLES OPERATOR [ACTIONS] */
export function addRule({ words, file, line }: Directive, into: Configuration): string | undefined {
  const [targets, operator, actions = ''] = words;
  if (targets === undefined || operator === undefined) return 'variables and an operator are needed';
  return append(
    {
      file,
      line,
      targets: parseTargets(targets),
      operator: parseOperator(operator),
      actions: parseActions(actions),
      defaults: into.defaults,
    },
    into,
  );
}

/** SecAction ACTIONS */
export function addAction({ words, file, line }: Directive, into: Configuration): string | undefined {
  const actions = parseActions(words[0] ?? '');
  return append({ file, line, targets: [], actions, defaults: into.defaults }, into);
}

/** SecRuleScript: a program in Lua. */
export function addScript(_directive: Directive, _into: Configuration): string {
  return 'scripts are not run';
}

function append(rule: RawRule, into: Configuration): string | undefined {
  const chained = rule.actions.some(({ name }) => name === 'chain');
  const before = into.openChain;
  const id = idOf(rule);
  if (before) before.next = rule;
  else if (id > 0) into.items.push({ rule });
  into.openChain = chained ? rule : undefined;
  if (before) return undefined;
  return id > 0 ? notePlace(id, rule, into) : 'it has no id, so nothing can refer to it';
}

function notePlace(id: number, { file, line }: RawRule, { places, issues }: Configuration): undefined {
  const other = places.get(id);
  places.set(id, `${file}:${line}`);
  const message = `there is another rule ${id} at ${other}; both run`;
  if (other !== undefined) issues.push({ file, line, level: 'notice', message });
}

/** The number of a rule; 0 when it has none. */
export function idOf(rule: RawRule): number {
  const id = Number(rule.actions.findLast(({ name }) => name === 'id')?.value);
  return Number.isInteger(id) ? id : 0;
}
