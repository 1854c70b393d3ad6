import type { KeyboardEvent, PointerEvent } from 'react';
import { useState } from 'react';
import { nearestIndex } from './plot-scale.ts';

/** Where a chart is looked at: one of its moments, and from which one a stretch is being chosen. Indexes. */
export interface Brush {
  at: number | undefined;
  /** the other end of the stretch while one is chosen */
  anchor: number | undefined;
}

/** The stretch between both ends, the earlier first; undefined while none is chosen. */
export function stretchOf({ at, anchor }: Brush): [number, number] | undefined {
  return at === undefined || anchor === undefined ? undefined : [Math.min(at, anchor), Math.max(at, anchor)];
}

const nothing: Brush = { at: undefined, anchor: undefined };
const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 };

/**
 * The crosshair and the choice of a stretch, by pointer (drag) and by keyboard: arrows move, with Shift they choose,
 * Enter takes what is chosen, Escape lets go.
 * @param xs pixels of the moments, ascending
 * @param onStretch told the chosen stretch, first and last index; absent where nothing can be chosen
 */
export function useBrush(xs: readonly number[], onStretch?: (first: number, last: number) => void) {
  const [brush, setBrush] = useState<Brush>(nothing);
  const pixelOf = (event: PointerEvent<HTMLElement>) =>
    nearestIndex(xs, event.clientX - event.currentTarget.getBoundingClientRect().left);
  const take = (chosen: Brush) => {
    const stretch = stretchOf(chosen);
    setBrush(nothing);
    if (stretch) onStretch?.(...stretch);
  };
  return {
    brush,
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (!onStretch || event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const at = pixelOf(event);
        setBrush({ at, anchor: at });
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        const at = pixelOf(event);
        setBrush((before) => (before.at === at ? before : { ...before, at }));
      },
      onPointerUp: () => {
        // A click without a drag chooses nothing.
        if (brush.anchor === brush.at) setBrush((before) => ({ ...before, anchor: undefined }));
        else take(brush);
      },
      onPointerLeave: () => setBrush((before) => (before.anchor === undefined ? nothing : before)),
      onPointerCancel: () => setBrush(nothing),
      onBlur: () => setBrush(nothing),
      onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
        const next = keyed(brush, event, xs.length - 1, onStretch !== undefined);
        if (next === undefined) return;
        event.preventDefault();
        if (next === 'take') take(brush);
        else setBrush(next);
      },
    },
  };
}

/** What a key makes of the brush; undefined for keys that mean nothing here. */
function keyed(
  brush: Brush,
  { key, shiftKey }: KeyboardEvent<HTMLElement>,
  last: number,
  choosing: boolean,
): Brush | 'take' | undefined {
  if (last < 0) return undefined;
  if (key === 'Escape') return brush.at === undefined ? undefined : nothing;
  if (key === 'Enter') return stretchOf(brush) ? 'take' : undefined;
  const from = brush.at ?? last + (key === 'ArrowRight' ? -1 : 1);
  const moved =
    key === 'Home' ? 0 : key === 'End' ? last : key in steps ? from + (steps[key] ?? 0) : undefined;
  if (moved === undefined) return undefined;
  const at = Math.min(last, Math.max(0, moved));
  return { at, anchor: shiftKey && choosing ? (brush.anchor ?? Math.min(last, from)) : undefined };
}
