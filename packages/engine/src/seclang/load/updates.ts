import { readSelection, selects } from '../program/index.ts';
import { type ActionSyntax, type Directive, parseActions, parseTargets } from '../syntax/index.ts';
import { idOf } from './add-rule.ts';
import type { Configuration, RawItem, RawRule } from './configuration.ts';

type By = 'id' | 'tag' | 'msg';

/** SecRuleRemoveById, …ByTag, …ByMsg: takes away rules that stand before the directive. */
export function removeRules(
  by: By,
  { name, words, file, line }: Directive,
  { items, issues }: Configuration,
): string | undefined {
  const chosen = choose(by, words.join(' '), items);
  if (!chosen) return `"${words.join(' ')}" selects no rules`;
  const message = `${name}: no rule before this line is meant; it has to stand behind the rules that it takes away`;
  if (chosen.length === 0) issues.push({ file, line, level: 'notice', message });
  const gone = new Set(chosen);
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index];
    if (item && 'rule' in item && gone.has(item.rule)) items.splice(index, 1);
  }
  return undefined;
}

/** SecRuleUpdateTargetById and its like: adds variables to rules (`!ARGS:x` leaves one out), or replaces some. */
export function updateTargets(by: By, { words }: Directive, items: RawItem[]): string | undefined {
  const [selection = '', added = '', replaced] = words;
  const chosen = choose(by, selection, items);
  if (!chosen) return `"${selection}" selects no rules`;
  const old = JSON.stringify(parseTargets(replaced ?? ''));
  for (const rule of chosen) {
    const kept = rule.targets.filter((one) => replaced === undefined || JSON.stringify([one]) !== old);
    rule.targets = [...kept, ...parseTargets(added)];
  }
  return undefined;
}

/** SecRuleUpdateActionById ID[:LINK]: later actions win over the rule's own; its id and chain stay. */
export function updateActions({ words }: Directive, items: RawItem[]): string | undefined {
  const [selection = '', list = ''] = words;
  const [id = '', link = '0'] = selection.split(':');
  const chosen = choose('id', id, items);
  if (!chosen) return `"${selection}" selects no rules`;
  const added = parseActions(list).filter(
    ({ name }) => name !== 'id' && name !== 'chain' && name !== 'phase',
  );
  const replacesChain = added.some(({ name }) => name === 't');
  for (const head of chosen) {
    let rule: RawRule | undefined = head;
    for (let step = 0; step < Number(link); step += 1) rule = rule?.next;
    if (!rule) return `rule ${id} has no link ${link}`;
    const kept: readonly ActionSyntax[] = replacesChain
      ? rule.actions.filter(({ name }) => name !== 't')
      : rule.actions;
    rule.actions = [...kept, ...added];
  }
  return undefined;
}

function choose(by: By, text: string, items: readonly RawItem[]): RawRule[] | undefined {
  const which = readSelection(by, text);
  if (!which) return undefined;
  return items.flatMap((item) => {
    if (!('rule' in item)) return [];
    const { actions } = item.rule;
    const facts = {
      id: idOf(item.rule),
      tags: actions.filter(({ name }) => name === 'tag').map(({ value }) => value),
      message: actions.findLast(({ name }) => name === 'msg')?.value ?? '',
    };
    return selects(which, facts) ? [item.rule] : [];
  });
}
