import { setImmediate as nextTurn } from 'node:timers/promises';
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
import { inSteps, joined } from '../steps.ts';
import { Seen } from './seen.ts';

/** Lines that are told of at once; who sends another kind of file altogether has seen enough. */
const maxIssues = 100;

/** What no entry comes near, with a remark behind it. */
const maxLineLength = 4096;

const problemOf = (entry: string) => `"${entry.slice(0, 64)}" is no address or network such as 192.0.2.0/24`;

/** Entries that are kept together while they come. */
const portionLength = 4096;

/** A list while it comes: in portions, for one that grows to a million is copied again and again. */
class Coming {
  readonly #portions: string[][] = [];
  readonly #seen = new Seen(
    (place) => this.#portions[Math.floor(place / portionLength)]?.[place % portionLength],
  );
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Takes an entry, unless it was there before. */
  add(entry: string, network: ParsedNetwork): void {
    if (!this.#seen.add(entry, network, this.#length)) return;
    if (this.#length % portionLength === 0) this.#portions.push([]);
    this.#portions.at(-1)?.push(entry);
    this.#length += 1;
  }

  whole(): Promise<string[]> {
    return inSteps(joined(this.#portions, this.#length));
  }
}

/** Lines that are read before it is looked how long they took, and how long they may take at once. */
const [linesAtOnce, stretchMs] = [256, 4];

/** Reads lists as they come, so that a million lines hold nobody up. */
export const entriesReader: TextReader<string[]> = {
  maxBytes: maxEntriesTextBytes,
  async read(pieces) {
    const entries = new Coming();
    const issues: Issue[] = [];
    let line = 0;
    let rest = '';
    const take = (text: string) => {
      line += 1;
      const entry = text.length > maxLineLength ? text.slice(0, maxLineLength) : entryOfLine(text);
      if (entry === undefined) return;
      const network = parseNetwork(entry);
      if (network === undefined) issues.push({ path: 'entries', message: problemOf(entry), line });
      else entries.add(entry, network);
    };
    for await (const piece of pieces) {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      let until = performance.now() + stretchMs;
      for (const [index, text] of lines.entries()) {
        take(text);
        if (index % linesAtOnce !== 0 || performance.now() < until) continue;
        await nextTurn();
        until = performance.now() + stretchMs;
      }
      if (rest.length > maxLineLength) take(rest);
      if (entries.length > maxListEntries) {
        const message = `A list holds ${maxListEntries} entries at most`;
        return invalid([{ path: 'entries', message, line }]);
      }
      if (issues.length >= maxIssues || rest.length > maxLineLength)
        return invalid(issues.slice(0, maxIssues));
    }
    take(rest);
    return issues.length > 0 ? invalid(issues) : entries.whole();
  },
};
