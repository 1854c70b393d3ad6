/** What a document calls `&name;`. */
export interface Entities {
  readonly texts: Map<string, string>;
  /** characters that expanded texts may still have, in all and behind that */
  left: number;
}

/** For a document of which nothing was read. */
export function noEntities(): Entities {
  return { texts: new Map(), left: 2 * maxInAll };
}

const maxEntities = 64;
const maxDepth = 4;
/** characters of one expanded text; as much as is read of a body */
const maxExpanded = 131_072;
/** the same of all, or a small document would ask for the inspection of a large one over and over */
const maxInAll = 262_144;
/** a longer text is padding where the whole grows too far */
const maxOfPadding = 256;

const declaration = /<?!ENTITY\s{1,40}(?:%\s{1,40})?([\w:.-]{1,64})\s{1,40}(?:"([^"]*)"|'([^']*)')/g;

/**
 * Takes note of the texts that a declaration in the document itself gives a name: `<!ENTITY x "text">`. Those from
 * elsewhere have no text here.
 * @returns those texts
 * @see XML 1.0 §4.2.1
 */
export function declareEntities(tag: string, { texts: known }: Entities): readonly string[] {
  if (!tag.includes('!ENTITY')) return [];
  const texts: string[] = [];
  for (const [, name = '', double, single] of tag.matchAll(declaration)) {
    const text = double ?? single ?? '';
    texts.push(text);
    // The first declaration counts.
    if (known.size < maxEntities && !known.has(name)) known.set(name, text);
  }
  return texts;
}

/**
 * The text as a parser hands it on, each reference replaced by what the document declared for it.
 * @returns undefined where it holds none, or grows too far with nothing in it but short ones
 */
export function expandEntities(text: string, entities: Entities): string | undefined {
  const { texts, left } = entities;
  if (texts.size === 0 || left <= 0 || !/[&%]/.test(text)) return undefined;
  const whole = left > maxInAll ? expand(text, texts, maxExpanded) : undefined;
  const expanded = whole ?? expand(text, texts, maxOfPadding);
  // What grew too far was written until there.
  if (whole === undefined) entities.left -= left > maxInAll ? maxExpanded : 0;
  if (expanded === text) return undefined;
  entities.left -= expanded?.length ?? maxExpanded;
  return expanded;
}

function expand(text: string, texts: ReadonlyMap<string, string>, longest: number): string | undefined {
  let current = text;
  for (let depth = 0; depth < maxDepth; depth += 1) {
    let length = 0;
    const next = current.replace(/[&%]([\w:.-]{1,64});/g, (reference, name: string) => {
      const found = length > maxExpanded ? undefined : texts.get(name);
      if (found === undefined) return reference;
      const used = found.length > longest ? ' ' : found;
      length += used.length;
      return used;
    });
    if (length > maxExpanded) return undefined;
    if (next === current) break;
    current = next;
  }
  return current;
}
