/** A stroke as points on a grid 4 wide and 6 high, y downwards. */
export type Stroke = readonly (readonly [x: number, y: number])[];

/** `0046 4006`: pairs of digits are points, a space lifts the pen. */
function strokes(text: string): readonly Stroke[] {
  return text.split(' ').map((line) => {
    const points: [number, number][] = [];
    for (let at = 0; at + 1 < line.length; at += 2) points.push([Number(line[at]), Number(line[at + 1])]);
    return points;
  });
}

/**
 * An alphabet of our own, drawn in straight strokes, without characters that people take for one another
 * (0 O Q D, 1 I L, 2 Z, 5 S, 8 B, U V).
 */
export const glyphs: ReadonlyMap<string, readonly Stroke[]> = new Map([
  ['A', strokes('062046 1434')],
  ['C', strokes('4130100105163645')],
  ['E', strokes('40000646 0333')],
  ['F', strokes('400006 0333')],
  ['G', strokes('41301001051636454323')],
  ['H', strokes('0006 4046 0343')],
  ['J', strokes('4045361605')],
  ['K', strokes('0006 400346')],
  ['M', strokes('0600234046')],
  ['N', strokes('06004640')],
  ['P', strokes('06003041423303')],
  ['R', strokes('06003041423303 2346')],
  ['T', strokes('0040 2026')],
  ['W', strokes('0016233640')],
  ['X', strokes('0046 4006')],
  ['Y', strokes('002340 2326')],
  ['3', strokes('01103041423323 334445361605')],
  ['4', strokes('3036 300444')],
  ['7', strokes('004016')],
  ['9', strokes('4233130201103041453616')],
]);

export const alphabet: readonly string[] = [...glyphs.keys()];
