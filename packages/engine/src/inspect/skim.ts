import type { FirstLook, Part, Skim } from '../parse/index.ts';
import type { Condition } from '../rules/index.ts';
import { mayHoldBase64, shortestBase64 } from './base64-texts.ts';
import type { Policy } from './compile.ts';
import { clear, type Looked, lookAt, unseen } from './look.ts';
import { LookedPieces, worthKeeping } from './looked-pieces.ts';
import { hitsOf } from './run.ts';
import { mayBeWrapped } from './wrapped-texts.ts';

/** A longer one may be binary in parts, and is read in windows. */
const longestPassed = 4095;

/**
 * What a policy lets readers pass over: pieces that no rule, no decoder and no reader of texts within texts has anything
 * to say about, told by one scan where they stand. Everything else is made a value and examined.
 * Forgets what was found in another request.
 * @returns undefined where every value is asked for: by a rule without a gate, or by one of the site's own
 */
export function skimOf(policy: Policy): Skim | undefined {
  const known = skims.get(policy);
  known?.looked.forget();
  if (known !== undefined) return known ?? undefined;
  const made = policy.gated && policy.ungated.length === 0 && !readsValues(policy) ? makeSkim(policy) : null;
  skims.set(policy, made);
  return made ?? undefined;
}

const skims = new WeakMap<Policy, PolicySkim | null>();

/** With what was found in the request at hand. */
interface PolicySkim extends Skim {
  readonly looked: LookedPieces;
}

const wholes: ReadonlySet<Part> = new Set(['method', 'path', 'target', 'header', 'ip']);

function readsValues({ customRules, units }: Policy): boolean {
  const reads = ({ operator, targets }: Condition): boolean =>
    operator.kind === 'combine'
      ? operator.parts.some(reads)
      : targets.some(({ part, name }) => !wholes.has(part) && !(part === 'query' && name !== undefined));
  return units.length === 0 || customRules.some(reads);
}

function makeSkim(policy: Policy): PolicySkim {
  const hits = hitsOf(policy);
  const looked = new LookedPieces();
  const lookInto = (text: string, start: number, end: number, part: Part, isName: boolean) => {
    const found = lookAt(policy, hits, text, start, end, part, isName);
    if (found !== clear) return found;
    const mayHold =
      end - start >= shortestBase64 && (mayHoldBase64(text, start, end) || mayBeWrapped(text, start, end));
    return mayHold ? found : undefined;
  };
  const look: FirstLook['at'] = (text, start, end, part, isName) => {
    const length = end - start;
    if (length < 2) return undefined;
    const first = text.charCodeAt(start);
    // Braces and brackets may enclose JSON, and a document of GraphQL ends in one.
    if (length > longestPassed || first === 123 || first === 91 || text.charCodeAt(end - 1) === 125)
      return unseen;
    if (length < worthKeeping || isName) return lookInto(text, start, end, part, isName);
    const key = looked.keyOf(text, start, end);
    const known = looked.find(key, text, start, end, part);
    if (known) return known === passed ? undefined : known;
    const found = lookInto(text, start, end, part, isName);
    looked.add(key, text, start, end, part, found ?? passed);
    return found;
  };
  return { look, isKnown: policy.memory.knows, looked };
}

/** Of a piece that is passed over. */
const passed: Looked = { wanted: 0, opened: undefined };
