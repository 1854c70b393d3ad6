import type { NotedHeader } from './header-names.ts';
import type { MultipartPart } from './multipart.ts';
import type { Value } from './value.ts';

/** Something a request was not built as it claims, or more than a bound allows. Shown with the verdict. */
export const oddities = [
  'arguments over limit',
  'headers over limit',
  'parts over limit',
  'body over limit',
  'inflation over limit',
  'depth over limit',
  'malformed json',
  'malformed multipart',
  'malformed compression',
  'unknown compression',
  'unknown charset',
] as const;
export type Oddity = (typeof oddities)[number];

/** A request taken apart once; every rule reads from this. */
export interface ParsedRequest {
  readonly values: readonly Value[];
  /** request-target up to `?`, as sent */
  readonly path: string;
  /** what follows the first `?`, as sent */
  readonly query: string;
  /** what was sent under the names that checks ask for, in order of arrival */
  readonly headers: ReadonlyMap<NotedHeader, readonly string[]>;
  /** the body's inspection prefix, decompressed, latin1 */
  readonly body: string;
  /** the same as it was sent, where that was compressed */
  readonly sent?: string;
  /** parts that carry a file name */
  readonly files: readonly MultipartPart[];
  readonly oddities: ReadonlySet<Oddity>;
  /** the first header with a line break in its value or a name that is no token */
  readonly brokenHeader?: { readonly name: string; readonly value: string };
}
