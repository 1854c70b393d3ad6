import type { InspectedRequest, MultipartPart, Part, Value } from '../parse/index.ts';
import { beginRest, type Rest } from '../parse/index.ts';
import type { Policy } from './compile.ts';
import { examineValue } from './examine.ts';
import { checkStructure, decide, type InspectContext, startRun } from './inspect.ts';
import type { Run } from './run.ts';
import type { Verdict } from './verdict.ts';

/** Taking a body apart a few bytes at a time would look at each of them again and again. */
const shortestStretch = 4096;

const plain: readonly string[] = [];

/**
 * Inspects what follows the prefix of a body while it streams. Values have the names that they have in the prefix,
 * in JSON that of the nearest key. Operators' own rules look at the prefix alone. Holds at most some 20 KB.
 */
export class RestOfBody {
  readonly #run: Run;
  readonly #request: InspectedRequest;
  readonly #rest: Rest['read'];
  #open: string;
  #gathered = '';

  /** Made by {@link inspectRest}. */
  constructor(run: Run, request: InspectedRequest, rest: Rest) {
    this.#run = run;
    this.#request = request;
    this.#rest = rest.read;
    this.#open = rest.open;
  }

  /**
   * Never throws; takes time linear in the text.
   * @param text the next bytes as latin1
   * @param last the body ends with them
   * @returns what follows from all that was read of the rest so far
   */
  read(text: string, last: boolean, context: InspectContext = {}): Verdict {
    this.#gathered += text;
    if (!last && this.#gathered.length < shortestStretch) return passed;
    const run: Run = {
      ...this.#run,
      parsed: { ...this.#run.parsed, values: [], files: [] },
      exhausted: context.exhausted,
    };
    const { values, files } = this.#take(last);
    if (files.length > 0) {
      const structureRules = run.policy.structureRules.filter(({ rule }) => rule.category === 'file_upload');
      checkStructure(
        { ...run, policy: { ...run.policy, structureRules }, parsed: { ...run.parsed, files } },
        this.#request,
      );
    }
    for (const value of values) {
      examineValue(run, value);
      if (run.overBudget) break;
    }
    return run.matches.length === 0 && !run.overBudget ? passed : decide(run);
  }

  #take(last: boolean): { values: Value[]; files: MultipartPart[] } {
    const values: Value[] = [];
    const files: MultipartPart[] = [];
    const { maxArguments } = this.#run.policy.limits;
    const text = this.#open + this.#gathered;
    this.#gathered = '';
    this.#open = this.#rest(text, last, {
      sink: (value) => values.length < maxArguments && values.push(value) > 0,
      remainder: (piece: string, part: Part) => {
        if (piece !== '')
          values.push({ part, name: '', isName: false, text: piece, source: piece, at: 0, decoders: plain });
      },
      file: (part) => void files.push(part),
    });
    return { values, files };
  }
}

const passed: Verdict = { decision: 'pass', score: 0, scores: {}, matches: [] };

/**
 * Goes on where `inspect` ended on a body that is longer than its prefix.
 * @param request with the prefix as its body
 * @returns undefined where nothing of the rest is to be read: no category looks at bodies, the body is a file that is
 *   stored as it comes, or it is compressed
 */
export function inspectRest(
  policy: Policy,
  request: InspectedRequest,
  context: InspectContext = {},
): RestOfBody | undefined {
  if (policy.units.length === 0) return undefined;
  const run = startRun(policy, request, context, false);
  const { body, headers, oddities } = run.parsed;
  if (oddities.has('inflation over limit') || oddities.has('unknown compression')) return undefined;
  const contentType = headers.get('content-type')?.join(', ') ?? '';
  const rest = beginRest(body, { method: request.method, contentType }, policy.limits.maxDepth);
  return rest && new RestOfBody({ ...run, seen: undefined }, request, rest);
}
