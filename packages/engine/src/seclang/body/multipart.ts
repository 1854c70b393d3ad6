import type { MultipartFlag, NamedValue, ParsedBody, UploadedFile } from './parsed-body.ts';

/** Parts beyond this many are read as one error, since each costs work and no form has so many. */
const maxParts = 1000;

/**
 * Reads a multipart/form-data body. Every way in which it departs from the grammar is flagged, since servers
 * differ in what they make of it.
 * @param contentType the whole header
 * @see RFC 7578, RFC 2046 §5.1.1
 */
export function parseMultipart(contentType: string, body: string): ParsedBody {
  const flags = new Set<MultipartFlag>();
  const boundary = readBoundary(contentType, flags);
  if (boundary === undefined) return finish([], flags, 'Multipart: Invalid boundary in C-T');
  const sections = splitAtBoundary(body, boundary, flags);
  if (!sections) return finish([], flags, 'Multipart: Final boundary missing or no boundary found');
  if (sections.length > maxParts) return finish([], flags, 'Multipart: too many parts');
  const parts = sections.map((section) => readPart(section, flags));
  if (sections.some((section) => hasStrayBoundary(section, boundary))) flags.add('UNMATCHED_BOUNDARY');
  const error = parts.some((part) => part === undefined) ? 'Multipart: Invalid part header' : undefined;
  return finish(
    parts.filter((part) => part !== undefined),
    flags,
    error,
  );
}

interface Part {
  readonly name: string | undefined;
  readonly filename: string | undefined;
  readonly headers: readonly string[];
  readonly content: string;
}

function finish(parts: readonly Part[], flags: Set<MultipartFlag>, error: string | undefined): ParsedBody {
  const args: NamedValue[] = [];
  const files: UploadedFile[] = [];
  const partHeaders: NamedValue[] = [];
  for (const { name, filename, headers, content } of parts) {
    if (name === undefined) {
      flags.add('INVALID_PART');
      continue;
    }
    for (const header of headers) partHeaders.push([name, header]);
    if (filename === undefined) args.push([name, content]);
    else files.push({ field: name, filename, content });
  }
  const names = parts.flatMap((part) => (part.name === undefined ? [] : [part.name]));
  const filenames = files.map((file) => file.filename);
  const multipart = { files, partHeaders, names, filenames, flags };
  return error === undefined ? { args, multipart } : { args, multipart, error };
}

function readBoundary(contentType: string, flags: Set<MultipartFlag>): string | undefined {
  const parameters = contentType.slice(Math.max(contentType.indexOf(';'), 0));
  const found = /boundary(\s*)=(\s*)(?:"([^"]*)"?|([^;,"]*))/i.exec(parameters);
  if (!found) {
    if (/boundary/i.test(contentType)) flags.add('MISSING_SEMICOLON');
    return undefined;
  }
  if (found[1] || found[2] || /^\s|\s$/.test(found[3] ?? '')) flags.add('BOUNDARY_WHITESPACE');
  if (found[3] !== undefined) flags.add('BOUNDARY_QUOTED');
  const boundary = found[3] ?? found[4]?.trimEnd() ?? '';
  return boundary === '' || boundary.length > 1024 ? undefined : boundary;
}

/** The text of each part, without its delimiters; undefined when no delimiter or no final one is there. */
function splitAtBoundary(body: string, boundary: string, flags: Set<MultipartFlag>): string[] | undefined {
  const mark = `--${boundary}`;
  const sections: string[] = [];
  let crlf = false;
  let lf = false;
  let start = -1;
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + mark.length)) {
    if (at > 0 && body[at - 1] !== '\n') continue;
    if (start < 0 && at > 0 && body.slice(0, at).trim() !== '') flags.add('DATA_BEFORE');
    const after = body.slice(at + mark.length, at + mark.length + 4);
    const line = /^(--)?[ \t]*(\r?\n|$)/.exec(after);
    if (!line) continue;
    if (start >= 0) {
      const ending = body[at - 2] === '\r' ? 2 : 1;
      sections.push(body.slice(start, Math.max(at - ending, start)));
    }
    if (line[2] === '\r\n') crlf = true;
    if (line[2] === '\n') lf = true;
    start = at + mark.length + line[0].length;
    if (line[1] !== '--') continue;
    if (body.slice(start).trim() !== '') flags.add('DATA_AFTER');
    if (lf) flags.add(crlf ? 'CRLF_LF_LINES' : 'LF_LINE');
    return sections;
  }
  return undefined;
}

function hasStrayBoundary(section: string, boundary: string): boolean {
  return section.includes(`\n--${boundary}`);
}

function readPart(section: string, flags: Set<MultipartFlag>): Part | undefined {
  const bare = /^\r?\n/.exec(section);
  const blank = bare ? bare : /\r?\n\r?\n/.exec(section);
  if (!blank) return undefined;
  const head = bare ? '' : section.slice(0, blank.index);
  const content = section.slice(blank.index + blank[0].length);
  if (/\n[ \t]/.test(head)) flags.add('HEADER_FOLDING');
  if (/[^\r]\n/.test(head)) flags.add('LF_LINE');
  const headers = head
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .filter((line) => line !== '');
  if (headers.some((line) => !/^[^\s:]+\s*:/.test(line))) return undefined;
  const disposition = headers.find((line) => /^content-disposition\s*:/i.test(line)) ?? '';
  if (!/^[^:]+:\s*form-data\b/i.test(disposition)) flags.add('INVALID_PART');
  return {
    name: readParameter(disposition, 'name', flags),
    filename: readParameter(disposition, 'filename', flags),
    headers,
    content,
  };
}

/**
 * The first parameter of that name. Read from the left, since a quoted value may hold what looks like another one:
 * `name="x; filename=y"` is no file.
 */
function readParameter(header: string, name: string, flags: Set<MultipartFlag>): string | undefined {
  const parameter =
    /[;\s]*([^\s=;"']+)\s*(?:=\s*(?:"((?:[^"\\]|\\[\s\S])*)("?)|'([^']*)'|([^;\s]*)))?|[;\s]*["'=]/gy;
  parameter.lastIndex = header.indexOf(':') + 1;
  for (const [, key, double, closed, single, bare] of header.matchAll(parameter)) {
    if (key?.toLowerCase() !== name || (double ?? single ?? bare) === undefined) continue;
    if ((double !== undefined && closed === '') || single !== undefined) flags.add('INVALID_QUOTING');
    return double === undefined ? (single ?? bare) : double.replace(/\\(["\\])/g, '$1');
  }
  return undefined;
}
