import type { CommandPosition } from './shell-lexer.ts';

/** `{{ .Name | printf "%q" }}`: a function of templates in Go, which gets what is before it. */
export function isOfTemplate(text: string, { start, end, after }: CommandPosition): boolean {
  return (
    after === '|' &&
    /\{\{[^{}|;&$`]{1,80}$/.test(text.slice(Math.max(0, start - 90), start)) &&
    /^\s"[^"$`]{0,40}"\s?\}\}/.test(text.slice(end, end + 60))
  );
}

/** Of an address, or of one that somebody looks for: 'data:image/png;base64 css background'. One word would be a file to read. */
export function isMediaType(text: string, { start, end }: CommandPosition): boolean {
  return (
    text[end] === ',' ||
    (/\bdata:[\w.+-]{1,40}\/[\w.+-]{1,60}$/.test(text.slice(Math.max(0, start - 110), start)) &&
      /^(?:\s[a-z]{2,20}){0,6}$/i.test(text.slice(end)) &&
      !/^\s\S+$/.test(text.slice(end)))
  );
}

/** MySQL quotes its names in backticks. */
export const beginsAsStatement =
  /^\s*(?:select|insert|update|delete|replace|with|alter|create|drop|show|explain)\s/i;
