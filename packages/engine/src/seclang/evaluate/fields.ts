import type { NamedValue } from '../body/index.ts';
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

function read(run: Run, { include }: CompiledTargets): readonly Field[] {
  const [only] = include;
  if (include.length === 1 && only) return readOne(run, only);
  return include.flatMap((target) => readOne(run, target));
}

function readOne(run: Run, target: TargetReader): readonly Field[] {
  const { variable, exclude, count, selector } = target;
  const chosen = choose(run, target);
  const kept =
    exclude.length === 0 ? chosen : chosen.filter((field) => !exclude.some((one) => isMeant(one, field)));
  if (!count) return kept;
  const key = selector?.kind === 'name' ? selector.name : '';
  return [{ variable: `&${variable}`, key, subject: run.subjects.head.subjectOf(String(kept.length)) }];
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
  // Dozens of entries of TX, of which a rule asks for a few: fields are made of these only.
  if (selector && reader.volatile) {
    return membersOf(run, variable, reader, ([key]) => isSelected(selector, key));
  }
  const all = allOf(run, variable, reader);
  return selector ? all.filter((field) => isSelected(selector, field.key)) : all;
}

function allOf(run: Run, variable: string, reader: VariableReader): readonly Field[] {
  if (reader.volatile) return membersOf(run, variable, reader);
  const kept = reader.fixed ? run.fixedVariables : run.variables;
  const known = kept.get(variable);
  if (known) return known;
  const fields = membersOf(run, variable, reader);
  kept.set(variable, fields);
  return fields;
}

function membersOf(
  run: Run,
  variable: string,
  reader: VariableReader,
  isWanted?: (member: NamedValue) => boolean,
): readonly Field[] {
  const { subjectOf } = reader.fixed ? run.subjects.head : run.subjects.others;
  const members = reader.members(run);
  const meant = isWanted ? members.filter(isWanted) : members;
  return meant.map(([key, text]) => ({ variable, key, subject: subjectOf(text) }));
}
