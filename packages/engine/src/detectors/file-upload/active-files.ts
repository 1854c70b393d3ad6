import { utf16File } from '../../decode/index.ts';
import type { MultipartPart } from '../../parse/index.ts';
import type { StructureCheck } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';

/** Labels of diagrams are HTML in a foreign object; what runs is a script, a handler, a frame or an address. */
const activeMarkup = verbose('i')`
  <(?:\w{1,20}:)?script[\s>/]
  |\son[a-z]{3,20}\s{0,9}=\s{0,9}["'a-z]
  |(?:href|src|action|values|to)\s{0,9}=\s{0,9}["']?\s{0,9}(?:javascript|data:text\/html)
  |<(?:iframe|embed|object|handler)[\s>/]
  |<!entity\s{1,20}\S{1,60}\s{1,20}(?:system|public)
`;

/** A browser takes a file for what its name or its type says; without either, for what its beginning looks like. */
const kinds = {
  image: { name: /\.svgz?\s*$/i, type: /svg/i, beginning: /<svg[\s>]/i },
  page: {
    name: /\.(?:[sx]?html?|xht|mht(?:ml)?)\s*$/i,
    type: /html|message\/rfc822|multipart\/related/i,
    beginning: /^\s{0,200}(?:<!doctype\s{1,9}html|<(?:html|head|body|script|iframe)[\s>/])/i,
  },
} as const;

/** @returns the check of one kind: files of it that run script when they are opened */
const active =
  (kind: keyof typeof kinds): StructureCheck =>
  ({ files }) => {
    for (const part of files) {
      const text = utf16File(part.content) ?? part.content;
      if (!isOf(kinds[kind], part, text)) continue;
      const found = activeMarkup.exec(text);
      if (found) return { target: `file:${part.name}`, value: text.slice(found.index, found.index + 200) };
    }
    return undefined;
  };

/** An SVG with script. */
export const activeImage = active('image');

/** A page with script: whoever opens it where it is stored hands their session to it. */
export const activePage = active('page');

function isOf(
  { name, type, beginning }: (typeof kinds)[keyof typeof kinds],
  part: MultipartPart,
  text: string,
): boolean {
  if (type.test(part.contentType) || part.filenames.some((given) => name.test(given))) return true;
  return beginning.test(text.slice(0, 1024));
}
