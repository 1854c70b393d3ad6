import { type Build, built, refused } from './operator.ts';

/** `@validateByteRange`: a byte lies outside the listed ranges, for example `9,10,13,32-126`. */
export const validateByteRange: Build = (argument) => {
  const allowed = new Uint8Array(256);
  for (const part of argument.split(',')) {
    const range = /^\s*(\d{1,3})\s*(?:-\s*(\d{1,3})\s*)?$/.exec(part);
    const first = Number(range?.[1]);
    const last = Number(range?.[2] ?? range?.[1]);
    if (!range || last > 255 || first > last) return refused(`"${part}" is no range of bytes`);
    allowed.fill(1, first, last + 1);
  }
  return built((text) => {
    for (let at = 0; at < text.length; at += 1) {
      if (allowed[text.charCodeAt(at)] !== 1) return [text.charAt(at)];
    }
    return undefined;
  });
};
