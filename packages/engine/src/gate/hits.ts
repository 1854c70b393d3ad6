/** Which classes were hit since {@link resetHits}. Reused between scans: `list` up to `count` is valid. */
export interface Hits {
  readonly stamps: Int32Array;
  readonly list: Int32Array;
  /** states of the automaton that have nothing more to report */
  readonly rows: Int32Array;
  generation: number;
  count: number;
  /** where a scan stands */
  state: number;
}

/** An empty set of hits. */
export function createHits(classCount: number, rowCount: number): Hits {
  return {
    stamps: new Int32Array(classCount),
    list: new Int32Array(classCount),
    rows: new Int32Array(rowCount),
    generation: 1,
    count: 0,
    state: 0,
  };
}

/** Forgets all hits, in constant time but for once in two billion. */
export function resetHits(hits: Hits): void {
  hits.generation += 1;
  hits.count = 0;
  // A busy process gets here in a day or two; what was stamped long ago must not look new.
  if (hits.generation < 0x7fffffff) return;
  hits.stamps.fill(0);
  hits.rows.fill(0);
  hits.generation = 1;
}

/** Whether a class was hit since the last reset. */
export function isHit(hits: Hits, id: number): boolean {
  return hits.stamps[id] === hits.generation;
}
