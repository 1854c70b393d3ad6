import type { MultipartFlag, UploadedFile } from '../body/index.ts';
import { parseXmlPath, selectXml } from '../body/index.ts';
import type { Transaction } from '../state/index.ts';
import { single, type VariableReader } from './reader.ts';

const files = ({ body }: Transaction): readonly UploadedFile[] => body?.multipart?.files ?? [];
const flag = (name: MultipartFlag) => single(({ body }) => (body?.multipart?.flags.has(name) ? 1 : 0));

/** Flags that alone do not make a body suspicious: browsers and clients produce them. */
const harmless: ReadonlySet<MultipartFlag> = new Set(['CRLF_LF_LINES', 'UNMATCHED_BOUNDARY']);

const strict = ({ body }: Transaction): number => {
  const { flags } = body?.multipart ?? {};
  if (!flags) return 0;
  return body?.error !== undefined || [...flags].some((name) => !harmless.has(name)) ? 1 : 0;
};

/**
 * ModSecurity 2, for which the Core Rule Set is written, keeps the raw text of forms only, unless a rule asks
 * for it: in XML, JSON and uploads, rules look at what their parsers found.
 */
const bodyText = ({ phase, processor, forceRequestBody, facts }: Transaction): string | undefined =>
  phase > 1 && (processor === 'URLENCODED' || forceRequestBody) ? facts.bodyText : undefined;

const bodyLength = ({ phase, facts }: Transaction) => (phase > 1 ? facts.bodyText.length : 0);

/** The body as a whole, as XML, and what went wrong in reading it. */
export const bodyVariables: Readonly<Record<string, VariableReader>> = {
  REQUEST_BODY: single((transaction) => bodyText(transaction) || undefined),
  REQUEST_BODY_LENGTH: single(bodyLength),
  REQBODY_PROCESSOR: { ...single(({ processor }) => processor), volatile: true },
  REQBODY_ERROR: single(({ body }) => (body?.error === undefined ? 0 : 1)),
  REQBODY_ERROR_MSG: single(({ body }) => body?.error ?? ''),
  REQBODY_PROCESSOR_ERROR: single(({ body }) => (body?.error === undefined ? 0 : 1)),
  REQBODY_PROCESSOR_ERROR_MSG: single(({ body }) => body?.error ?? ''),
  INBOUND_DATA_ERROR: single(({ request }) => (request.bodyTruncated ? 1 : 0)),
  FULL_REQUEST: single(({ request, facts }) => {
    const head = request.headers.map(([name, value]) => `${name}: ${value}`).join('\n');
    return `${request.method} ${request.target} HTTP/${request.httpVersion}\n${head}\n\n${facts.bodyText}`;
  }),
  FULL_REQUEST_LENGTH: single(({ request, facts }) =>
    request.headers.reduce(
      (sum, [name, value]) => sum + name.length + value.length + 4,
      request.method.length + request.target.length + 12 + facts.bodyText.length,
    ),
  ),
  XML: {
    members: ({ body }) => (body?.xml ? [['', '[XML document tree]']] : []),
    select: ({ body }, selector) => {
      const path = parseXmlPath(selector);
      return body?.xml && path ? selectXml(body.xml, path).map((text) => ['', text]) : [];
    },
  },
  FILES: { members: (tx) => files(tx).map(({ field, filename }) => [field, filename]) },
  FILES_NAMES: { members: (tx) => files(tx).map(({ field }) => [field, field]) },
  FILES_SIZES: { members: (tx) => files(tx).map(({ field, content }) => [field, String(content.length)]) },
  FILES_TMP_CONTENT: { members: (tx) => files(tx).map(({ field, content }) => [field, content]) },
  FILES_TMPNAMES: { members: () => [] },
  FILES_COMBINED_SIZE: single((tx) => files(tx).reduce((sum, { content }) => sum + content.length, 0)),
  MULTIPART_PART_HEADERS: { members: ({ body }) => body?.multipart?.partHeaders ?? [] },
  MULTIPART_FILENAME: { members: ({ body }) => (body?.multipart?.filenames ?? []).map((name) => ['', name]) },
  MULTIPART_NAME: { members: ({ body }) => (body?.multipart?.names ?? []).map((name) => ['', name]) },
  MULTIPART_STRICT_ERROR: single(strict),
  MULTIPART_BOUNDARY_QUOTED: flag('BOUNDARY_QUOTED'),
  MULTIPART_BOUNDARY_WHITESPACE: flag('BOUNDARY_WHITESPACE'),
  MULTIPART_DATA_BEFORE: flag('DATA_BEFORE'),
  MULTIPART_DATA_AFTER: flag('DATA_AFTER'),
  MULTIPART_HEADER_FOLDING: flag('HEADER_FOLDING'),
  MULTIPART_LF_LINE: flag('LF_LINE'),
  MULTIPART_CRLF_LF_LINES: flag('CRLF_LF_LINES'),
  MULTIPART_MISSING_SEMICOLON: flag('MISSING_SEMICOLON'),
  MULTIPART_SEMICOLON_MISSING: flag('MISSING_SEMICOLON'),
  MULTIPART_INVALID_QUOTING: flag('INVALID_QUOTING'),
  MULTIPART_INVALID_PART: flag('INVALID_PART'),
  MULTIPART_INVALID_HEADER_FOLDING: flag('INVALID_HEADER_FOLDING'),
  MULTIPART_UNMATCHED_BOUNDARY: flag('UNMATCHED_BOUNDARY'),
  // Files are never stored here, so no limit on their number is exceeded.
  MULTIPART_FILE_LIMIT_EXCEEDED: single(() => 0),
  URLENCODED_ERROR: single(({ processor, facts }) =>
    processor === 'URLENCODED' && /%(?![0-9a-fA-F]{2})/.test(facts.bodyText) ? 1 : 0,
  ),
};
