import { type Hits, isHit, resetHits } from '../gate/index.ts';
import type { Part } from '../parse/index.ts';
import { nameRole, partBit, valueRole, type Watch } from './compile.ts';
import { gzipClass } from './openings.ts';
import type { Opening, Unit } from './unit.ts';

/** What one scan of a text tells. */
export interface Looked {
  /** bits of the decoding steps that can change the text, and of {@link gzipClass}; negative: nobody has scanned it */
  readonly wanted: number;
  /** units to be run on it, in their order */
  readonly opened: readonly Unit[] | undefined;
}

/** Of a text in which nothing was hit. */
export const clear: Looked = { wanted: 0, opened: undefined };

/** Of a text that is to be looked at as a whole before anything else. */
export const unseen: Looked = { wanted: -1, opened: undefined };

/** Scans [start, end) of a text for what is watched for. */
export function lookAt(
  { automaton, openings, ungated }: Watch,
  hits: Hits,
  text: string,
  start: number,
  end: number,
  part: Part,
  isName: boolean,
): Looked {
  resetHits(hits);
  automaton.scan(text, start, end, hits);
  if (hits.count === 0 && ungated.length === 0) return clear;
  const bit = partBit(part);
  const role = isName ? nameRole : valueRole;
  let wanted = 0;
  let opened: Unit[] | undefined;
  for (let index = 0; index < hits.count; index += 1) {
    const id = hits.list[index] as number;
    if (id <= gzipClass) {
      wanted |= 1 << id;
      continue;
    }
    for (const opening of openings[id] as readonly Opening[]) {
      if (!opens(opening, hits, bit, role) || opened?.includes(opening.unit)) continue;
      if (opened) insert(opened, opening.unit);
      else opened = [opening.unit];
    }
  }
  for (const unit of ungated) {
    if (opened) insert(opened, unit);
    else opened = [unit];
  }
  if (wanted === 0 && !opened) return clear;
  return { wanted, opened };
}

/** In order of their index, so that matches come in the same order as in a run without gates. They are few. */
function insert(units: Unit[], unit: Unit): void {
  let at = units.length;
  for (; at > 0; at -= 1) {
    const before = units[at - 1] as Unit;
    if (before.index < unit.index) break;
    units[at] = before;
  }
  units[at] = unit;
}

/** Whether a unit is to be run on a text of that part and role in which this was hit. */
function opens({ unit, others }: Opening, hits: Hits, part: number, role: number): boolean {
  if ((unit.parts & part) === 0 || (unit.roles & role) === 0) return false;
  for (const id of others) if (!isHit(hits, id)) return false;
  return true;
}
