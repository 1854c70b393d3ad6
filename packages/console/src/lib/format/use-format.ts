import { useMemo, useSyncExternalStore } from 'react';
import { usePreferences } from '../preferences/index.ts';
import { formatDate, formatDateTime, formatTime, parseTime } from './times.ts';

/** Moments written as the signed-in user prefers; text that names no moment comes back as it is. */
export interface TimeFormat {
  date: (moment: string | number) => string;
  time: (moment: string | number) => string;
  /** hours and minutes alone */
  shortTime: (moment: string | number) => string;
  dateTime: (moment: string | number) => string;
}

/** @returns formatters bound to the user's timezone, date format and time format */
export function useTimeFormat(): TimeFormat {
  const { timezone, dateFormat, timeFormat } = usePreferences();
  return useMemo(() => {
    const style = { timezone, dateFormat, timeFormat };
    const write = (format: (date: Date) => string) => (moment: string | number) => {
      const date = parseTime(moment);
      return date ? format(date) : String(moment);
    };
    return {
      date: write((date) => formatDate(date, style)),
      time: write((date) => formatTime(date, style)),
      shortTime: write((date) => formatTime(date, style, false)),
      dateTime: write((date) => formatDateTime(date, style)),
    };
  }, [timezone, dateFormat, timeFormat]);
}

const tickMs = 15_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const tell of listeners) tell();
  }, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** @returns the present in Unix milliseconds, one clock for all ages on the page, moving every 15 s */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => {
    if (timer === undefined) now = Math.max(now, Date.now() - (Date.now() % tickMs));
    return now;
  });
}
