/** A rule of a ruleset, in the order that a file names them. */
export interface Aged {
  readonly id: string;
  /** Unix milliseconds; that of a rule which is new lies after all others */
  readonly createdAt: number;
}

const isBefore = (a: Aged, b: Aged) =>
  a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id);

/** Each that does not come after the one before it becomes a moment younger than that. */
function forwards(rules: readonly Aged[]): Aged[] {
  const placed: Aged[] = [];
  for (const rule of rules) {
    const last = placed.at(-1);
    placed.push(!last || isBefore(last, rule) ? rule : { ...rule, createdAt: last.createdAt + 1 });
  }
  return placed;
}

/** Each that does not come before the one after it becomes a moment older than that. */
function backwards(rules: readonly Aged[]): Aged[] {
  const placed: Aged[] = [];
  for (const rule of rules.toReversed()) {
    const next = placed.at(-1);
    placed.push(!next || isBefore(rule, next) ? rule : { ...rule, createdAt: next.createdAt - 1 });
  }
  return placed.toReversed();
}

/**
 * Gives the rules of one set the order in which a file names them. Rules of one severity are asked in order of age, so
 * one that the file puts elsewhere gets another age; of the two ways to do it the one that touches fewer rules.
 * @returns the age of each rule by its id, Unix milliseconds
 */
export function agesInOrder(rules: readonly Aged[]): Map<string, number> {
  const touched = (placed: readonly Aged[]) => placed.filter((rule, index) => rule !== rules[index]).length;
  const [later, earlier] = [forwards(rules), backwards(rules)];
  const placed = touched(earlier) < touched(later) ? earlier : later;
  return new Map(placed.map(({ id, createdAt }) => [id, createdAt]));
}
