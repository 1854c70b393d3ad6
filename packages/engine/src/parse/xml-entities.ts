/** What a document calls `&name;`, by that name. */
export type Entities = Map<string, string>;

const maxEntities = 64;
const maxDepth = 4;
/** characters of one expanded text; as much as is read of a body */
const maxExpanded = 131_072;
/** a longer text is padding where the whole grows too far */
const maxOfPadding = 256;

const declaration = /<?!ENTITY\s{1,40}(?:%\s{1,40})?([\w:.-]{1,64})\s{1,40}(?:"([^"]*)"|'([^']*)')/g;

/**
 * Takes note of the texts that a declaration in the document itself gives a name: `<!ENTITY x "text">`. Those from
 * elsewhere have no text here.
 * @returns those texts
 * @see XML 1.0 §4.2.1
 */
export function declareEntities(tag: string, into: Entities): readonly string[] {
  if (!tag.includes('!ENTITY')) return [];
  const texts: string[] = [];
  for (const [, name = '', double, single] of tag.matchAll(declaration)) {
    const text = double ?? single ?? '';
    texts.push(text);
    // The first declaration counts.
    if (into.size < maxEntities && !into.has(name)) into.set(name, text);
  }
  return texts;
}

/**
 * The text as a parser hands it on, each reference replaced by what the document declared for it.
 * @returns undefined where it holds none, or grows too far with nothing in it but short ones
 */
export function expandEntities(text: string, entities: Entities): string | undefined {
  if (entities.size === 0 || !/[&%]/.test(text)) return undefined;
  const expanded = expand(text, entities, maxExpanded) ?? expand(text, entities, maxOfPadding);
  return expanded === text ? undefined : expanded;
}

function expand(text: string, entities: Entities, longest: number): string | undefined {
  let current = text;
  for (let depth = 0; depth < maxDepth; depth += 1) {
    let length = 0;
    const next = current.replace(/[&%]([\w:.-]{1,64});/g, (reference, name: string) => {
      const found = length > maxExpanded ? undefined : entities.get(name);
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
