import type { Part } from '../parse/index.ts';
import type { Target } from '../rules/index.ts';
import { verbose } from '../verbose.ts';

/** Names of fields in which people write to people, and show each other what to type. */
export const writing = verbose('i')`
  (?:^|[._[-])(?:
    comments?|message|content|body|text|prompt|description|notes?|snippet|post|answer|question|readme|summary
    |review|feedback|reply|paste\w{0,10}
  )\]?$
`;
/** The same, and what names and sums up such a text. */
const texts = new RegExp(
  `${writing.source}|(?:^|[._[-])(?:title|subject|headline|caption|excerpt|abstract|bio|about|html|markdown)\\]?$`,
  'i',
);

const named: readonly Part[] = ['form', 'multipart', 'json', 'xml'];

/**
 * These parts, without the fields that promise a text: what looks like writing excuses nothing there. Whoever
 * attacks a file name, a host or a search can put two words behind a path or a command, and it works as before.
 * @param leftOut names to leave out besides, of fields of JSON and parameters
 */
export function besideTexts(parts: readonly Part[], leftOut?: RegExp): readonly Target[] {
  const notPath = leftOut ? new RegExp(`${texts.source}|${leftOut.source}`, 'i') : texts;
  return parts.filter(isNoDocument).map((part) => {
    if (named.includes(part)) return { part, notPath };
    return leftOut ? { part, notPath: leftOut } : { part };
  });
}

/** Of these parts the fields that promise a text, and bodies that are one. */
export function withinTexts(parts: readonly Part[]): readonly Target[] {
  return [
    ...parts.filter((part) => named.includes(part)).map((part) => ({ part, path: texts })),
    ...parts.filter((part) => !isNoDocument(part)).map((part) => ({ part })),
  ];
}

function isNoDocument(part: Part): boolean {
  return part !== 'body';
}
