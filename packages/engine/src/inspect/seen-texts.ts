/** Texts that a request held already, by the place that they stood in. */
export class SeenTexts {
  private readonly byPlace: (Set<string> | undefined)[] = [];

  /** Whether this text stood there. */
  has(place: number, text: string): boolean {
    return this.byPlace[place]?.has(text) ?? false;
  }

  /** Notes that it does. */
  add(place: number, text: string): void {
    const texts = this.byPlace[place];
    if (texts) texts.add(text);
    else this.byPlace[place] = new Set([text]);
  }
}
