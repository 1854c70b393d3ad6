import { expand, parseTemplate } from '../macros/index.ts';
import { type Build, built, type Found, whole } from './operator.ts';

function comparing(test: (text: string, wanted: string) => Found | undefined): Build {
  return (argument) => {
    const template = parseTemplate(argument);
    return built((text, macros) => test(text, expand(template, macros)));
  };
}

/** `@contains` */
export const contains = comparing((text, wanted) => (text.includes(wanted) ? [wanted] : undefined));

/** `@beginsWith` */
export const beginsWith = comparing((text, wanted) => (text.startsWith(wanted) ? [wanted] : undefined));

/** `@endsWith` */
export const endsWith = comparing((text, wanted) => (text.endsWith(wanted) ? [wanted] : undefined));

/** `@streq` */
export const streq = comparing((text, wanted) => (text === wanted ? whole(text) : undefined));

/** `@within`: the value stands somewhere in the argument; an empty value stands everywhere. */
export const within = comparing((text, wanted) => (wanted.includes(text) ? whole(text) : undefined));

/** `@containsWord`: as a word of its own, between other characters than letters, digits and `_`. */
export const containsWord = comparing((text, wanted) => {
  if (wanted === '') return whole(text);
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const around = (text[at - 1] ?? ' ') + (text[at + wanted.length] ?? ' ');
    if (!/\w/.test(around)) return [wanted];
  }
  return undefined;
});
