import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { vi } from 'vitest';
import { type PatternNode, parsePattern } from '../pattern/index.ts';

const source = join(import.meta.dirname, '..');

/** Every regular expression of the engine: those written in its files, and those put together as it loads. */
export async function everyPattern(): Promise<Map<string, RegExp>> {
  const patterns = new Map<string, RegExp>();
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts') || file.startsWith('testing')) continue;
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/');
        patterns.set(node.text, new RegExp(node.text.slice(1, end), node.text.slice(end + 1)));
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, readFileSync(join(source, file), 'utf8'), ts.ScriptTarget.Latest));
  }
  const own = globalThis.RegExp;
  globalThis.RegExp = new Proxy(own, {
    construct(target, given: ConstructorParameters<RegExpConstructor>) {
      const made = new target(...given);
      patterns.set(String(made), made);
      return made;
    },
  });
  try {
    // Loaded anew: an earlier test may have had it loaded unseen.
    vi.resetModules();
    await import('../index.ts');
  } finally {
    globalThis.RegExp = own;
  }
  return patterns;
}

/** Whether a pattern tells characters beyond latin1, and so is run on characters, not on bytes. */
export function readsCharacters({ source }: RegExp): boolean {
  return /[^\0-\xff]|(?<!\\)\\u/.test(source);
}

/** A regular expression as a tree over bytes, with what looks around. */
export function readPattern(pattern: RegExp): PatternNode {
  const { source, ignoreCase, dotAll, multiline } = pattern;
  const utf8 = readsCharacters(pattern);
  const read = parsePattern(source, { ignoreCase, dotAll, multiline, detailed: true, utf8 });
  if (!read.ok) throw new Error(`${source}: ${read.issue.reason}`);
  return read.node;
}

/** Something that a pattern repeats. */
export type Loop = Extract<PatternNode, { kind: 'repeat' }>;

/** Every loop of a pattern, also within what looks around. */
export function loopsOf(node: PatternNode): Loop[] {
  switch (node.kind) {
    case 'sequence':
    case 'either':
      return node.items.flatMap(loopsOf);
    case 'repeat':
      return [node, ...loopsOf(node.item)];
    case 'capture':
      return loopsOf(node.item);
    case 'irregular':
      return node.look ? loopsOf(node.look.item) : [];
    default:
      return [];
  }
}
