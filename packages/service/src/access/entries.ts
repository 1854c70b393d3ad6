import {
  entryOfLine,
  maxEntriesTextBytes,
  maxListEntries,
  type ParsedNetwork,
  parseNetwork,
} from '@portcullis/contract/access';
import type { Issue } from '@portcullis/contract/api';
import type { TextReader } from '../http/index.ts';
import { invalid } from '../outcome.ts';

/** Lines that are told of at once; who sends another kind of file altogether has seen enough. */
const maxIssues = 100;

/** What no entry comes near, with a remark behind it. */
const maxLineLength = 4096;

const problemOf = (entry: string) => `"${entry.slice(0, 64)}" is no address or network such as 192.0.2.0/24`;

const setCount = 64;

/**
 * Which set an entry belongs to, by ten bits of it. Some sets get twice as many entries as others, with all shares
 * between: sets of one size would all double their room within the same few thousand entries.
 */
const setOf = Array.from({ length: 1024 }, (_, part) => Math.floor(setCount * Math.log2(1 + part / 1024)));

/**
 * What was seen already. One set of a million would stand still to grow, for as long as no call may wait; these grow
 * one by one.
 */
class Seen {
  readonly #sets = Array.from({ length: setCount }, () => new Set<string>());

  /** @returns whether it was not there yet */
  add(entry: string, { words }: ParsedNetwork): boolean {
    const mixed = Math.imul((words[2] ?? 0) ^ (words[3] ?? 0) ^ words[0], 0x9e37_79b1) >>> 22;
    const set = this.#sets[setOf[mixed] ?? 0];
    if (!set || set.has(entry)) return false;
    set.add(entry);
    return true;
  }
}

/** Reads lists as they come, so that a million lines hold nobody up. */
export const entriesReader: TextReader<string[]> = {
  maxBytes: maxEntriesTextBytes,
  async read(pieces) {
    const entries: string[] = [];
    const seen = new Seen();
    const issues: Issue[] = [];
    let line = 0;
    let rest = '';
    const take = (text: string) => {
      line += 1;
      const entry = text.length > maxLineLength ? text.slice(0, maxLineLength) : entryOfLine(text);
      if (entry === undefined) return;
      const network = parseNetwork(entry);
      if (network === undefined) issues.push({ path: 'entries', message: problemOf(entry), line });
      else if (seen.add(entry, network)) entries.push(entry);
    };
    for await (const piece of pieces) {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      for (const text of lines) take(text);
      if (rest.length > maxLineLength) take(rest);
      if (entries.length > maxListEntries) {
        const message = `A list holds ${maxListEntries} entries at most`;
        return invalid([{ path: 'entries', message, line }]);
      }
      if (issues.length >= maxIssues || rest.length > maxLineLength)
        return invalid(issues.slice(0, maxIssues));
    }
    take(rest);
    return issues.length > 0 ? invalid(issues) : entries;
  },
};
