/**
 * One line of JSON in printable ASCII: whatever a client sent, nothing in it ends the line, gives orders to a terminal or
 * turns the direction of what follows (CVE-2021-42574).
 */
export const jsonLine = (value: unknown): string =>
  `${JSON.stringify(value).replace(/[^\x20-\x7e]/g, escaped)}\n`;

const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
