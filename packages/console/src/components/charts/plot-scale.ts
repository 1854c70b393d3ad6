/** The pixel frame of a plot: where its lines live, inside the room for axis labels. */
export interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Maps a value to a pixel, linearly. */
export type Scale = (value: number) => number;

/** @returns the linear map of [from, to] onto [start, end]; a single value stands at the end */
export function linear(from: number, to: number, start: number, end: number): Scale {
  if (to === from) return () => end;
  return (value) => start + ((value - from) / (to - from)) * (end - start);
}

/** The round steps of an axis from zero: 1, 2 or 5 times a power of ten, about `wanted` of them. */
export function valueTicks(max: number, wanted = 4): number[] {
  const raw = max / wanted;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= raw) ?? 10);
  return Array.from({ length: Math.floor(max / step + 1e-9) + 1 }, (_, index) => index * step);
}

/**
 * Indexes of the moments that get a label: the last one always, and before it those that leave enough room. The
 * first and the last label stand inside the frame and not about their moment, so they ask for half as much again.
 * @param xs ascending pixels; moments need not be evenly spread
 * @param roomPx what one label takes
 */
export function labelIndexes(xs: readonly number[], roomPx: number): number[] {
  const last = xs.length - 1;
  const indexes: number[] = [];
  let next = Number.POSITIVE_INFINITY;
  for (let index = last; index >= 0; index--) {
    const x = xs[index] ?? 0;
    const atStart = x - (xs[0] ?? 0) < roomPx / 2;
    if (x > next - (atStart && index < last ? roomPx / 2 : 0)) continue;
    indexes.unshift(index);
    next = x - (index === last ? 1.5 : 1) * roomPx;
  }
  return indexes;
}

/** An SVG path through the points; a null leaves a gap, and a value alone between gaps is a dot. */
export function linePath(xs: readonly number[], values: readonly (number | null)[], y: Scale): string {
  let path = '';
  for (const [index, value] of values.entries()) {
    const x = xs[index];
    if (value === null || x === undefined) continue;
    const follows = index > 0 && typeof values[index - 1] === 'number';
    const goesOn = typeof values[index + 1] === 'number' && xs[index + 1] !== undefined;
    path += `${follows ? 'L' : 'M'}${x.toFixed(1)} ${y(value).toFixed(1)}${follows || goesOn ? '' : 'h0'}`;
  }
  return path;
}

/** The line's path closed down to the ground. */
export function areaPath(line: string, xs: readonly number[], ground: number): string {
  const first = xs[0];
  const last = xs.at(-1);
  if (line === '' || first === undefined || last === undefined) return '';
  return `${line}L${last.toFixed(1)} ${ground}L${first.toFixed(1)} ${ground}Z`;
}

/** @returns the index of the x nearest to a pixel; `xs` ascending */
export function nearestIndex(xs: readonly number[], pixel: number): number | undefined {
  let best: number | undefined;
  let distance = Number.POSITIVE_INFINITY;
  for (const [index, x] of xs.entries()) {
    const apart = Math.abs(x - pixel);
    if (apart < distance) {
      best = index;
      distance = apart;
    }
  }
  return best;
}
