import type { Issue } from '@portcullis/contract/api';
import { ConfigurationDocument } from '@portcullis/contract/configuration';
import { Document, isAlias, isNode, LineCounter, parseDocument, visit } from 'yaml';
import { unknownFields } from './unknown-fields.ts';

/** A file as it was read, or all that is wrong with it, each with its line. */
export type Reading =
  | { readonly ok: true; readonly document: ConfigurationDocument }
  | { readonly ok: false; readonly issues: readonly Issue[] };

type Path = readonly (string | number)[];

interface Parsed {
  readonly yaml: ReturnType<typeof parseDocument>;
  readonly lines: LineCounter;
}

function parse(text: string): Parsed {
  const lines = new LineCounter();
  const yaml = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: true,
    merge: false,
  });
  return { yaml, lines };
}

/** The line of what stands at a path, or of the nearest thing around it where nothing does. */
function lineOf({ yaml, lines }: Parsed, path: Path): number | undefined {
  for (let depth = path.length; depth >= 0; depth -= 1) {
    const node = yaml.getIn(path.slice(0, depth), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return undefined;
}

const dotted = (path: Path) => path.join('.');

/** Aliases let a small file grow without end, and would make two things of the configuration one. */
function aliasIssues({ yaml, lines }: Parsed): Issue[] {
  const issues: Issue[] = [];
  visit(yaml, (_key, node) => {
    if (!isAlias(node)) return;
    const line = lines.linePos(node.range?.[0] ?? 0).line;
    issues.push({ path: '', message: `Write the value out: the alias *${node.source} is not read`, line });
  });
  return issues;
}

function syntaxIssues({ yaml, lines }: Parsed): Issue[] {
  return [...yaml.errors, ...yaml.warnings].slice(0, 100).map((problem) => ({
    path: '',
    message: problem.message,
    line: lines.linePos(problem.pos[0]).line,
  }));
}

/** Why a value is no configuration; empty where it is one. */
function shapeIssues(parsed: Parsed, value: unknown): Issue[] {
  const at = (path: Path, message: string): Issue => {
    const line = lineOf(parsed, path);
    return { path: dotted(path), message, ...(line !== undefined && { line }) };
  };
  const result = ConfigurationDocument.safeParse(value);
  const wrong = (result.error?.issues ?? []).map(({ path, message }) =>
    at(
      path.map((part) => (typeof part === 'number' ? part : String(part))),
      message,
    ),
  );
  const unknown = unknownFields(ConfigurationDocument, value).map(({ path, known }) =>
    at(path, `There is no such field here. Fields are: ${known.join(', ')}`),
  );
  return [...wrong, ...unknown].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

function withoutRepetitions(document: ConfigurationDocument): ConfigurationDocument {
  const lists = document.address_lists?.map((list) => ({ ...list, entries: [...new Set(list.entries)] }));
  return { ...document, ...(lists && { address_lists: lists }) };
}

/** Reads the text of a file. Never throws: what is wrong with it is told at once, with lines. */
export function readDocument(text: string): Reading {
  try {
    const parsed = parse(text);
    const unreadable = [...syntaxIssues(parsed), ...aliasIssues(parsed)];
    if (unreadable.length > 0) return { ok: false, issues: unreadable };
    const value: unknown = parsed.yaml.toJS();
    const issues = shapeIssues(parsed, value);
    if (issues.length > 0) return { ok: false, issues };
    return { ok: true, document: withoutRepetitions(ConfigurationDocument.parse(value)) };
  } catch (error) {
    // The parser recurses, so that nesting without end runs out of stack.
    if (!(error instanceof RangeError)) throw error;
    return { ok: false, issues: [{ path: '', message: 'The file is nested too deeply' }] };
  }
}

/** Adds the lines to issues that were found after the file was read. */
export function withLines(text: string, issues: readonly Issue[]): Issue[] {
  const parsed = parse(text);
  return issues.map((issue) => {
    const path = issue.path.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
    const line = lineOf(parsed, path);
    return { ...issue, ...(line !== undefined && { line }) };
  });
}

/** Entries from which on a list is written as one text: a million nodes take a reader of YAML minutes. */
const entriesAsText = 1000;

/** The document as a file has it, in which long lists are texts with a line for each entry. */
function written(document: ConfigurationDocument) {
  const lists = document.address_lists?.map((list) =>
    list.entries.length < entriesAsText ? list : { ...list, entries: `${list.entries.join('\n')}\n` },
  );
  return { ...document, ...(lists && { address_lists: lists }) };
}

/** Writes a document as the text of a file. @param head comment above it, without signs */
export function writeDocument(document: ConfigurationDocument, head: string): string {
  const yaml = new Document(written(document), { aliasDuplicateObjects: false });
  yaml.commentBefore = head.replaceAll(/^/gm, ' ');
  return yaml.toString({ lineWidth: 110 });
}
