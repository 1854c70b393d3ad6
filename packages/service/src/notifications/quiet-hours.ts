import type { NotificationSettings } from '@portcullis/contract/notifications';

/** @param timezone IANA name. @returns the hour of the day there, 0 to 23 */
export function hourIn(timezone: string, time: number): number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, hour: '2-digit', hourCycle: 'h23' });
  return Number(format.format(time));
}

/**
 * Whether messages are held now. The start hour is quiet, the end hour is not; a range may go over midnight; equal
 * hours mean none.
 */
export function isQuiet(
  { enabled, startHour, endHour }: NotificationSettings['quietHours'],
  timezone: string,
  time: number,
): boolean {
  if (!enabled) return false;
  const hour = hourIn(timezone, time);
  return startHour <= endHour ? hour >= startHour && hour < endHour : hour >= startHour || hour < endHour;
}
