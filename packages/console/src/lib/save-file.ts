/** Lets the browser save a text as a file. */
export function saveFile(name: string, text: string, type: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** A moment as it stands in file names: `2026-11-21T15-04-05-123Z`. @param at Unix milliseconds */
export const stamp = (at: number): string => new Date(at).toISOString().replaceAll(/[:.]/g, '-');
