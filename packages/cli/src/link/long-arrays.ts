/** An array of many elements in a JSON text, which stands in no other such array: places of bytes. */
export interface LongArray {
  /** of its opening bracket, of each comma between two elements, and of its closing bracket */
  readonly bounds: readonly number[];
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Finds the long arrays of a JSON text without making anything of what they say. Of a text that is no JSON it finds
 * something, and either an element or what is around the arrays is no JSON then.
 *
 * @param more an array is long with more elements than that
 * @returns in the order of the text
 */
export function findLongArrays(bytes: Uint8Array, more: number): readonly LongArray[] {
  const found: LongArray[] = [];
  // One stack for all arrays that are open.
  const places: number[] = [];
  let top = 0;
  let at = 0;
  const readString = () => {
    for (at += 1; at < bytes.length && bytes[at] !== quote; at += 1) if (bytes[at] === backslash) at += 1;
  };
  /** From an opening bracket, or from before the text, to what closes it. */
  const readArray = () => {
    const base = top;
    const foundBefore = found.length;
    places[top++] = at;
    let depth = 0;
    for (at += 1; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte === quote) readString();
      else if (byte === openObject) depth += 1;
      else if (byte === closeObject) depth -= 1;
      else if (byte === comma && depth === 0) places[top++] = at;
      else if (byte === openArray) readArray();
      else if (byte === closeArray) break;
    }
    // One that nothing closes stays with what is around it.
    if (top - base > more && bytes[at] === closeArray && base > 0) {
      found.length = foundBefore;
      found.push({ bounds: [...places.slice(base, top), at] });
    }
    top = base;
  };
  at = -1;
  readArray();
  return found;
}
