/** Bytes as text of one char a byte. */
export function latin1(bytes: Uint8Array): string {
  // The `latin1` label of WHATWG means windows-1252, which is not one char one byte, hence by hand.
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode.apply(undefined, bytes.subarray(at, at + 8192) as unknown as number[]);
  }
  return text;
}

/** Text of one char one byte as bytes. */
export function fromLatin1(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}
