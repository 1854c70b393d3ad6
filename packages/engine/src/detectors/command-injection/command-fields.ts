import { verbose } from '../../verbose.ts';
import { headParts } from '../define.ts';
import { writing } from '../text-fields.ts';

/** Where somebody types; in JSON the name of a command is a tag or a field. */
export const typed = (['query', 'form', 'cookie', 'multipart'] as const).map((part) => ({
  part,
  of: 'values' as const,
}));

/** Fields in which people write to people, and what deployments, notebooks and logs call a command line. */
export const telling = verbose('i')`
  (?:^|[._[-])(?:
    comments?|message|msg|content|body|text|prompt|description|notes?|snippet|post|answer|question|readme|summary
    |review|feedback|reply|paste\w{0,10}|code|source|cells?|scripts?|steps?|run|cmd|[a-z]{0,20}commands?|args?|arguments
    |entrypoint|outputs?|std(?:out|err)|logs?|lines?
  )(?:[.[][\w-]{1,40}\]?){0,2}\]?$
`;
/** Where people write, and in a part of a form that is JSON the fields that hold command lines, such as the scripts of a package. */
export const shown = new RegExp(
  `${writing.source}|^[^.]{1,60}(?:\\.[^.]{1,60}){0,6}(?=\\.)${telling.source}`,
  'i',
);
/** Parts in which values have names that tell what they are for. */
export const fieldParts = ['form', 'multipart', 'json', 'xml'] as const;

/** Where a command line as a whole value is meant for a shell; documents hold them for other reasons. */
export const commandTargets = [
  ...headParts.map((part) => ({ part })),
  ...(['form', 'multipart'] as const).map((part) => ({ part, notPath: shown })),
];
export const documentTargets = [
  ...(['json', 'xml', 'body'] as const).map((part) => ({ part })),
  ...(['form', 'multipart'] as const).map((part) => ({ part, path: shown })),
];
/** Of those, where nobody expects a command line. */
export const unexpectedTargets = [
  ...(['json', 'xml'] as const).map((part) => ({ part, notPath: telling })),
  { part: 'body' as const },
];
