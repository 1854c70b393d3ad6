import { type Build, type Built, built, refused } from './operator.ts';

/** `@pm`: one of several phrases, in any case, anywhere. Bytes may be written as `|41 42|`. */
export const pm: Build = (argument) =>
  phrases((argument.match(/(?:\|[0-9a-fA-F\s]*\||(?!\|[0-9a-fA-F\s]*\|)\S)+/g) ?? []).map(readHex));

/** `@pmFromFile`: the phrases stand one a line in a file; empty lines and `#` lines are none. */
export const pmFromFile: Build = (argument, files) => {
  const all: string[] = [];
  for (const name of argument.split(/\s+/)) {
    const text = files.read(name);
    if (text === undefined) return refused(`the file ${name} is missing`);
    for (const line of text.split(/\r?\n/)) if (!line.startsWith('#')) all.push(line.trim());
  }
  return phrases(all);
};

function readHex(phrase: string): string {
  return phrase.replace(/\|([0-9a-fA-F\s]+)\|/g, (_whole, bytes: string) =>
    bytes.replace(/\s*([0-9a-fA-F]{2})\s*/g, (_pair, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
  );
}

function phrases(given: readonly string[]): Built {
  const wanted = [...new Set(given.map((phrase) => phrase.toLowerCase()))].filter((one) => one !== '');
  if (wanted.length === 0) return refused('there are no phrases');
  return built(
    (text) => {
      const lower = text.toLowerCase();
      for (const phrase of wanted) {
        const at = lower.indexOf(phrase);
        if (at >= 0) return [text.slice(at, at + phrase.length)];
      }
      return undefined;
    },
    [wanted],
  );
}
