/** The host's UTF-8, which for ASCII is its very text, read and written natively. All hosts of today have it; the language does not. */
const { TextDecoder: Decoder, TextEncoder: Encoder } = globalThis as {
  readonly TextDecoder?: new () => { readonly decode: (bytes: Uint8Array) => string };
  readonly TextEncoder?: new () => {
    readonly encodeInto: (text: string, bytes: Uint8Array) => { readonly read: number };
  };
};
const decoder = Decoder && new Decoder();
const encoder = Encoder && new Encoder();

/** In a sample this long from its middle, so many plus signs make a text of words. */
const sampleLength = 256;
const wordsInSample = 12;

/**
 * Makes plus signs spaces, as a form has them. Of text of many words a pattern costs 30 ns a word, more than all else
 * that is done to a harmless form; by way of bytes it takes a tenth of that.
 */
export function plusToSpaces(text: string): string {
  const { length } = text;
  if (decoder && encoder && length >= 2 * sampleLength && isOfWords(text)) {
    const bytes = new Uint8Array(length);
    // Other than ASCII takes more bytes than these.
    if (encoder.encodeInto(text, bytes).read === length) {
      for (let at = 0; at < length; at += 1) if (bytes[at] === plus) bytes[at] = space;
      return decoder.decode(bytes);
    }
  }
  // Not replaceAll, which puts a text of many pieces together: a sixth of a long form's time.
  return text.replace(/\+/g, ' ');
}

const [plus, space] = [43, 32];

function isOfWords(text: string): boolean {
  const middle = text.length >> 1;
  let words = 0;
  for (let at = middle; at < middle + sampleLength; at += 1) if (text.charCodeAt(at) === plus) words += 1;
  return words >= wordsInSample;
}
