/**
 * The printable runs of binary data, 6 characters or longer, as `strings` lists them; a payload in a protocol
 * buffer stands in one of them, and what stands between is noise that no rule should judge.
 */
export function latin1Strings(body: string): string[] {
  return body.match(/[\t\n\r\x20-\x7e\x80-\xff]{6,}/g)?.filter((run) => printableShare(run) > 0.8) ?? [];
}

function printableShare(run: string): number {
  const high = run.slice(0, 256).match(/[\x80-\xff]/g)?.length ?? 0;
  return 1 - high / Math.min(run.length, 256);
}
