/** Different values of one field that are remembered: what is different on each site is soon not looked at any more. */
const maxValues = 64;
/** Characters of JSON; what is longer is seldom alike. */
const maxLength = 4096;

interface Field {
  readonly values: Map<string, unknown>;
  hits: number;
  misses: number;
}

/**
 * What sites have alike, held once: ten thousand of them mostly have the same settings, and a request that finds those
 * in the processor's cache is served in three quarters of the time.
 */
export class Alike {
  readonly #fields = new Map<string, Field>();

  /** Puts values that were seen before in the place of equal ones, in the record itself. Never another value. */
  share(record: object): void {
    const fields = record as Record<string, unknown>;
    for (const [name, value] of Object.entries(fields)) {
      if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) continue;
      const field = this.#fieldOf(name);
      if (field.values.size >= maxValues && field.hits < field.misses) continue;
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      const known = field.values.get(text);
      if (known !== undefined) {
        field.hits++;
        fields[name] = known;
        continue;
      }
      field.misses++;
      if (field.values.size < maxValues && text.length <= maxLength) field.values.set(text, value);
    }
  }

  #fieldOf(name: string): Field {
    let field = this.#fields.get(name);
    if (field === undefined) {
      field = { values: new Map(), hits: 0, misses: 0 };
      this.#fields.set(name, field);
    }
    return field;
  }
}
