import { expand } from '../macros/index.ts';
import { type Effect, type RuleSelection, selects } from '../program/index.ts';
import { expireEntry, readEntry, writeEntry } from '../state/index.ts';
import { openCollection, startOf } from './kept.ts';
import { forgetValues, type Run } from './run.ts';

/** Carries out what a rule does on a match. */
export function applyEffects(run: Run, effects: readonly Effect[]): void {
  for (const effect of effects) applyEffect(run, effect);
}

function applyEffect(run: Run, effect: Effect): void {
  switch (effect.kind) {
    case 'set':
      setVariable(run, effect);
      return;
    case 'open':
      openCollection(run, effect.collection, expand(effect.key, run));
      return;
    case 'expire':
      expire(run, effect);
      return;
    case 'wane':
      wane(run, effect);
      return;
    case 'engine':
      run.mode = effect.mode;
      return;
    case 'processor':
      run.processor = effect.processor;
      return;
    case 'body':
      run.readsBody = effect.on;
      return;
    case 'force-body':
      run.forceRequestBody = effect.on;
      forgetValues(run);
      return;
    case 'remove-rules':
      run.removed ??= new Uint8Array(run.program.rules.length);
      for (const ordinal of ordinalsOf(run, effect.which)) run.removed[ordinal] = 1;
      return;
    case 'remove-target':
      run.withheld ??= new Map();
      for (const ordinal of ordinalsOf(run, effect.which)) {
        const withheld = run.withheld.get(ordinal);
        if (withheld) withheld.push(effect.target);
        else run.withheld.set(ordinal, [effect.target]);
      }
  }
}

const selected = new WeakMap<RuleSelection, readonly number[]>();

/** The heads that a selection means; the same for every request, so sought once. */
function ordinalsOf(run: Run, which: RuleSelection): readonly number[] {
  const known = selected.get(which);
  if (known) return known;
  const found = run.program.rules
    .filter(
      ({ id, facts: { tags, message } }) => id > 0 && selects(which, { id, tags, message: message.source }),
    )
    .map(({ ordinal }) => ordinal);
  selected.set(which, found);
  return found;
}

function setVariable(run: Run, effect: Extract<Effect, { kind: 'set' }>): void {
  const collection = run.collections.get(effect.collection);
  if (!collection) return;
  const key = expand(effect.key, run);
  const value = expand(effect.value, run);
  const before = () => integer(readEntry(collection, key) ?? '0');
  switch (effect.operation) {
    case 'delete':
      writeEntry(collection, key, undefined);
      return;
    case 'assign':
      writeEntry(collection, key, value);
      return;
    case 'add':
      writeEntry(collection, key, String(before() + integer(value)));
      return;
    case 'subtract':
      writeEntry(collection, key, String(before() - integer(value)));
  }
}

function expire(run: Run, effect: Extract<Effect, { kind: 'expire' }>): void {
  const collection = run.collections.get(effect.collection);
  if (!collection) return;
  const ms = integer(expand(effect.seconds, run)) * 1000;
  expireEntry(collection, expand(effect.key, run), startOf(run) + ms);
}

function wane(run: Run, effect: Extract<Effect, { kind: 'wane' }>): void {
  const collection = run.collections.get(effect.collection);
  if (!collection) return;
  const key = expand(effect.key, run);
  const value = readEntry(collection, key);
  if (value === undefined) return;
  const sinceMs = startOf(run) - integer(readEntry(collection, 'LAST_UPDATE_TIME') ?? '0') * 1000;
  const less = effect.by * Math.floor(Math.max(0, sinceMs) / 1000 / effect.everySeconds);
  if (less > 0) writeEntry(collection, key, String(Math.max(0, integer(value) - less)));
}

function integer(text: string): number {
  const value = Number.parseInt(text, 10);
  return Number.isNaN(value) ? 0 : value;
}
