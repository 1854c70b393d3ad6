import type { CompiledTargets, TargetMatcher, TargetReader } from '../program/index.ts';
import { isSelected } from '../program/index.ts';
import { type Field, newSubject } from '../state/index.ts';
import type { VariableReader } from '../variables/index.ts';
import type { Run } from './run.ts';

/** The values that a list of variables yields now. */
export function fieldsOf(run: Run, targets: CompiledTargets): readonly Field[] {
  if (targets.volatile) return read(run, targets);
  const lists = targets.fixed ? run.fixedLists : run.lists;
  const known = lists[targets.number];
  if (known) return known;
  const fields = read(run, targets);
  lists[targets.number] = fields;
  return fields;
}

/** Whether a value is among those that a matcher means. */
export function isMeant(matcher: TargetMatcher, field: Field): boolean {
  return matcher.variable === field.variable && isSelected(matcher.selector, field.key);
}

function read(run: Run, { include, exclude }: CompiledTargets): readonly Field[] {
  const [only] = include;
  if (include.length === 1 && only && exclude.length === 0) return readOne(run, only, exclude);
  return include.flatMap((target) => readOne(run, target, exclude));
}

function readOne(run: Run, target: TargetReader, exclude: readonly TargetMatcher[]): readonly Field[] {
  const chosen = choose(run, target);
  const relevant = exclude.filter((matcher) => matcher.variable === target.variable);
  const kept =
    relevant.length === 0 ? chosen : chosen.filter((field) => !relevant.some((one) => isMeant(one, field)));
  if (!target.count) return kept;
  const key = target.selector?.kind === 'name' ? target.selector.name : '';
  return [{ variable: `&${target.variable}`, key, subject: run.subjectOf(String(kept.length)) }];
}

function choose(run: Run, { variable, reader, selector }: TargetReader): readonly Field[] {
  if (selector?.kind === 'name' && reader.select) {
    const named = variable !== 'XML';
    return reader.select(run, selector.name).map(([key, text]) => ({
      variable,
      key: named ? key : '',
      subject: newSubject(text),
    }));
  }
  const all = allOf(run, variable, reader);
  return selector ? all.filter((field) => isSelected(selector, field.key)) : all;
}

function allOf(run: Run, variable: string, reader: VariableReader): readonly Field[] {
  const kept = reader.fixed ? run.fixedVariables : run.variables;
  const known = reader.volatile ? undefined : kept.get(variable);
  if (known) return known;
  const fields = reader
    .members(run)
    .map(([key, text]): Field => ({ variable, key, subject: run.subjectOf(text) }));
  if (!reader.volatile) kept.set(variable, fields);
  return fields;
}
