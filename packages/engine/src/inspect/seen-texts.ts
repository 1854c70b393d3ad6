/** A power of two; texts that fall on one slot push each other out, and are examined again when they come again. */
const slotCount = 256;
const slotShift = 32 - Math.log2(slotCount);

/**
 * Texts that a request held already, by the place that they stood in. A slot is found by a few characters, where a set
 * reads each text whole.
 */
export class SeenTexts {
  private readonly texts: (string | undefined)[] = [];
  private readonly places: number[] = [];

  /** Whether this text, of two characters or more, is known to have stood there. */
  has(place: number, text: string): boolean {
    const slot = slotOf(place, text);
    return this.places[slot] === place && this.texts[slot] === text;
  }

  /** Notes that it does. */
  add(place: number, text: string): void {
    const slot = slotOf(place, text);
    this.places[slot] = place;
    this.texts[slot] = text;
  }
}

function slotOf(place: number, text: string): number {
  const { length } = text;
  const quarter = length >> 2;
  let key = Math.imul(length, 31) + place;
  key = Math.imul(key, 31) + text.charCodeAt(0);
  key = Math.imul(key, 31) + text.charCodeAt(quarter);
  key = Math.imul(key, 31) + text.charCodeAt(2 * quarter);
  key = Math.imul(key, 31) + text.charCodeAt(length - 2);
  key = Math.imul(key, 31) + text.charCodeAt(length - 1);
  // The upper bits hold what all of them add up to.
  return Math.imul(key, 0x9e3779b1) >>> slotShift;
}
