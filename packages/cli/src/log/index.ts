/** Lines for a person or a collector. Values that came from outside cannot forge a line or colour a terminal. */
export interface Log {
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}

export type Fields = Readonly<Record<string, unknown>>;

/**
 * @param process who speaks: `service`, `gateway-1`, `launcher`
 * @param write takes one whole line
 */
export function createLog(process: string, write: (line: string) => void): Log {
  const at = (level: string) => (message: string, fields?: Fields) =>
    write(formatLine(process, level, message, fields));
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

function formatLine(process: string, level: string, message: string, fields: Fields = {}): string {
  const pairs = Object.entries(fields).map(([name, value]) => ` ${name}=${formatValue(value)}`);
  return `${new Date().toISOString()} ${level.padEnd(5)} ${process}: ${escapeControls(message)}${pairs.join('')}\n`;
}

function formatValue(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Error) return JSON.stringify(escapeControls(value.stack ?? value.message));
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
  return /^[\w.:/@-]+$/.test(text) ? text : JSON.stringify(escapeControls(text));
}

/** C0, DEL, C1, bidirectional controls and separators of lines become visible escapes: terminals act on them (CVE-2021-42574). */
export function escapeControls(text: string): string {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
