import type { WindowName } from '@portcullis/contract/monitoring';
import { windowNames, windows } from '@portcullis/contract/monitoring';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { parseTime } from '../../lib/format/index.ts';
import { breakdownQuery } from '../../lib/queries/index.ts';

/** Traffic of one step of time; `time` is its start, Unix milliseconds. */
export interface TrafficPoint {
  time: number;
  requests: number;
  blocked: number;
  /** how the server writes the time, where that names no moment */
  label?: string;
}

/** A stretch of time, [from, to) in Unix milliseconds. */
export interface Span {
  from: number;
  to: number;
}

const hourSeconds = 3600;

/** A moment has its year; `10:00` or `5` is only how an hour is called. */
const momentOf = (time: string) => (/\d{4}/.test(time) ? parseTime(time)?.getTime() : undefined);

/**
 * Hours as points; an entry whose time cannot be read is left out. Where a server writes none of them as a moment,
 * they are the hours up to the present one in their order, called as the server calls them.
 */
export function hourPoints(
  hours: readonly { time: string; requests: number; blocked: number }[],
  now = Date.now(),
): TrafficPoint[] {
  const read = hours.flatMap(({ time, requests, blocked }) => {
    const moment = momentOf(String(time));
    return moment === undefined ? [] : [{ time: moment, requests, blocked }];
  });
  if (read.length > 0) return read;
  const hourMs = hourSeconds * 1000;
  const first = (Math.floor(now / hourMs) - hours.length + 1) * hourMs;
  return hours.map(({ time, requests, blocked }, index) => ({
    time: first + index * hourMs,
    requests,
    blocked,
    label: String(time),
  }));
}

/** The stretch from the start of one point to the end of another. */
export function spanOfStretch(
  points: readonly TrafficPoint[],
  stepSeconds: number,
  first: number,
  last: number,
): Span {
  return { from: points[first]?.time ?? 0, to: (points[last]?.time ?? 0) + stepSeconds * 1000 };
}

/** @returns the window with the finest steps that reaches back to a moment; undefined where none does */
export function finestWindow(from: number, now: number): WindowName | undefined {
  return windowNames.find((name) => now - from <= windows[name].seconds * 1000);
}

/** The points of a stretch, at least two so that there is a line. */
export function within(points: readonly TrafficPoint[], span: Span): TrafficPoint[] {
  const first = points.findIndex(({ time }) => time >= span.from);
  if (first < 0) return [];
  const inside = points.filter(({ time }) => time >= span.from && time < span.to);
  return inside.length > 1 ? inside : points.slice(Math.max(0, first - 1), first + 1);
}

/**
 * What the chart shows: the hours, or of a stretch the finest points that there are. A server without finer ones,
 * and the time until they come, leaves the hours of the stretch.
 */
export function useZoomed(
  hours: readonly TrafficPoint[],
  span: Span | undefined,
): { points: readonly TrafficPoint[]; stepSeconds: number } {
  const window = span && finestWindow(span.from, Date.now());
  const fine = useQuery({
    ...breakdownQuery(window ?? '24h'),
    enabled: window !== undefined,
    staleTime: 30_000,
  });
  return useMemo(() => {
    if (!span) return { points: hours, stepSeconds: hourSeconds };
    if (!fine.data) return { points: within(hours, span), stepSeconds: hourSeconds };
    return { points: within(hourPoints(fine.data.points), span), stepSeconds: fine.data.step };
  }, [hours, span, fine.data]);
}
