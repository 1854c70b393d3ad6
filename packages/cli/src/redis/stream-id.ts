/** @returns whether a stream's entry `milliseconds-sequence` comes before another. */
export function isBelow(id: string, other: string): boolean {
  const [time = 0, sequence = 0] = id.split('-').map(Number);
  const [otherTime = 0, otherSequence = 0] = other.split('-').map(Number);
  return time < otherTime || (time === otherTime && sequence < otherSequence);
}
