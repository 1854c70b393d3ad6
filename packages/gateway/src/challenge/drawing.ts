import { glyphs } from './glyphs.ts';
import type { Bitmap } from './png.ts';

const width = 260;
const height = 84;

/** @returns a number in [0, 1); injected, so that a picture can be drawn again */
export type Random = () => number;

/**
 * Draws characters bent, turned and unevenly spaced, under lines and specks of the same ink, so that cutting them
 * apart takes more than a threshold.
 * @param text of the captcha's alphabet
 */
export function drawCaptcha(text: string, random: Random): Bitmap {
  const pixels = new Uint8Array(width * height).fill(244);
  const between = (low: number, high: number) => low + random() * (high - low);
  const wave = { phase: between(0, 6.3), length: between(22, 34), depth: between(2, 4.5) };
  const pen = { pixels, bend: (x: number) => Math.sin(x / wave.length + wave.phase) * wave.depth };
  const step = (width - 48) / text.length;
  for (const [index, character] of [...text].entries()) {
    const place = {
      x: 24 + step * (index + 0.5) + between(-2, 2),
      y: height / 2 + between(-8, 8),
      turn: between(-0.38, 0.38),
      slant: between(-0.25, 0.25),
      size: between(5.8, 7.2),
    };
    const ink = between(1.9, 2.8);
    for (const stroke of glyphs.get(character) ?? []) {
      const points = stroke.map(([x, y]) => placed(x - 2, y - 3, place));
      for (let at = 1; at < points.length; at++) line(pen, points[at - 1] as Point, points[at] as Point, ink);
    }
  }
  for (let count = 0; count < 3; count++) {
    const from: Point = [between(0, width * 0.4), between(8, height - 8)];
    const to: Point = [between(width * 0.6, width), between(8, height - 8)];
    line(pen, from, to, between(0.7, 1.2));
  }
  for (let count = 0; count < 130; count++)
    stamp(pen.pixels, between(0, width), between(0, height), between(0.5, 1.2));
  return { width, height, pixels };
}

type Point = readonly [x: number, y: number];

interface Place {
  readonly x: number;
  readonly y: number;
  readonly turn: number;
  readonly slant: number;
  readonly size: number;
}

function placed(x: number, y: number, { x: left, y: top, turn, slant, size }: Place): Point {
  const leaning = x + y * slant;
  const [sin, cos] = [Math.sin(turn), Math.cos(turn)];
  return [left + (leaning * cos - y * sin) * size, top + (leaning * sin + y * cos) * size];
}

interface Pen {
  readonly pixels: Uint8Array;
  readonly bend: (x: number) => number;
}

function line({ pixels, bend }: Pen, from: Point, to: Point, radius: number): void {
  const steps = Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) * 1.6) + 1;
  for (let step = 0; step <= steps; step++) {
    const x = from[0] + ((to[0] - from[0]) * step) / steps;
    const y = from[1] + ((to[1] - from[1]) * step) / steps;
    stamp(pixels, x, y + bend(x), radius);
  }
}

/** A soft disc of ink. */
function stamp(pixels: Uint8Array, x: number, y: number, radius: number): void {
  for (let row = Math.floor(y - radius - 1); row <= y + radius + 1; row++) {
    for (let column = Math.floor(x - radius - 1); column <= x + radius + 1; column++) {
      if (row < 0 || row >= height || column < 0 || column >= width) continue;
      const cover = Math.min(1, Math.max(0, radius + 0.5 - Math.hypot(column - x, row - y)));
      const at = row * width + column;
      pixels[at] = Math.min(pixels[at] as number, 244 - Math.round(cover * 208));
    }
  }
}
