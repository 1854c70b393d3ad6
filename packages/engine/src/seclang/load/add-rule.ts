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
    },
    into,
  );
}

/** SecAction ACTIONS */
export function addAction({ words, file, line }: Directive, into: Configuration): string | undefined {
  return append({ file, line, targets: [], actions: parseActions(words[0] ?? '') }, into);
}

/** SecRuleScript: a program in Lua. */
export function addScript(_directive: Directive, _into: Configuration): string {
  return 'scripts are not run';
}

function append(rule: RawRule, into: Configuration): string | undefined {
  const chained = rule.actions.some(({ name }) => name === 'chain');
  const isLink = into.openChain !== undefined;
  if (into.openChain) into.openChain.next = rule;
  else into.items.push({ rule });
  into.openChain = chained ? rule : undefined;
  if (isLink || idOf(rule) > 0) return undefined;
  return 'it has no id, so nothing can refer to it';
}

/** The number of a rule; 0 when it has none. */
export function idOf(rule: RawRule): number {
  const id = Number(rule.actions.findLast(({ name }) => name === 'id')?.value);
  return Number.isInteger(id) ? id : 0;
}
