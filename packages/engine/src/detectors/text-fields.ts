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
 * These parts, without the fields that promise a text. Whoever attacks a file name or a host can put two words
 * behind a path or a command, and it works as before.
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

/** Names under which people search: what they type there is words, and an application seldom opens or runs it. */
const searches =
  /(?:^|\.)(?:q|query|s|p|k|wd|search(?:_?(?:terms?|text|query))?|keywords?|(?:utm_)?terms?|filter|label)$/i;

/** Fields of a body that name what a program is given: nobody writes a sentence there. */
const argument = verbose('i')`
  (?:
    hosts?(?:_?name)?|ip|addr(?:ess)?|ur[il]|files?(?:_?name)?|path|dir(?:ectory)?|folder|id|target|domain|server|port|device
    |interface|lang(?:uage)?|locale|mode|format|e?mail|date|size|count|version|limit|offset|page|sort|order(?:_?by)?
    |user_?name|login|account|phone|country|currency|zip(?:_?code)?|postal_?code|time_?zone|charset|encoding
    |token|uuid|guid|slug|sku|method|action|theme|layout|view|module|plugin|component|class|table|column
    |width|height|colou?r|href|link|src|dest(?:ination)?|redirect(?:_?to)?|end_?point|web_?hook|callback|proxy|gateway|mac|cidr|subnet|netmask
    |bucket|branch|repo(?:sitory)?|image|avatar|logo|icon|attachment|backup|include|template|cwd|origin|upstream
  )
`;
const argumentNames = verbose('i')`(?:^|[._[-])${argument}\]?$`;

/**
 * Of these parts what an application takes as an argument: all of the request's head but parameters that promise a search or
 * a text, and searches as a referrer holds them; of a body the fields whose names say so. Nobody writes here, so no words
 * excuse anything.
 * @param leftOut names to leave out besides
 */
export function besideWords(parts: readonly Part[], leftOut?: RegExp): readonly Target[] {
  const notSearched = leftOut ? new RegExp(`${searches.source}|${leftOut.source}`, 'i') : searches;
  const notAsked = new RegExp(`${notSearched.source}|${texts.source}`, 'i');
  return parts.filter(isNoDocument).map((part) => {
    if (part === 'query') return { part, notPath: notAsked };
    if (part === 'header') return { part, notPath: notSearched };
    return {
      part,
      ...(named.includes(part) && { path: argumentNames }),
      ...(leftOut && { notPath: leftOut }),
    };
  });
}

/** Names of what people and programs call things, for short. */
const label =
  /(?:^|[._[-])(?:(?:first|last|full|nick|display)_?name|name|city|street|tag|category|status|type)\]?$/i;

/**
 * Of these fields of a body those in which nothing but a short value is asked for: no texts, and in documents only what is searched
 * for, an argument or the name of something.
 * @param leftOut names to leave out besides
 */
export function besideDocuments(parts: readonly Part[], leftOut: RegExp): readonly Target[] {
  const notPath = new RegExp(`${texts.source}|${leftOut.source}`, 'i');
  const path = new RegExp(`${searches.source}|${argumentNames.source}|${label.source}`, 'i');
  return parts.map((part) => ({ part, notPath, ...((part === 'json' || part === 'xml') && { path }) }));
}

/** Of these parts all but what promises a search or a text. */
export function besideSearches(parts: readonly Part[]): readonly Target[] {
  const words = new RegExp(`${searches.source}|${texts.source}`, 'i');
  return parts.filter(isNoDocument).map((part) => {
    if (part === 'query' || named.includes(part)) return { part, notPath: words };
    return part === 'header' ? { part, notPath: searches } : { part };
  });
}

/** Of these parts what neither promises a text nor is an argument for certain: searches, and fields of other names. */
export function amongWords(parts: readonly Part[]): readonly Target[] {
  const asked = new RegExp(`${searches.source}|${texts.source}`, 'i');
  return parts
    .filter((part) => part === 'query' || part === 'header' || named.includes(part))
    .map((part) => {
      if (!named.includes(part)) return { part, path: part === 'query' ? asked : searches };
      return { part, notPath: new RegExp(`${texts.source}|${argumentNames.source}`, 'i') };
    });
}

function isNoDocument(part: Part): boolean {
  return part !== 'body';
}
