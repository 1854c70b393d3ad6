import type { AddressWords } from '@portcullis/contract/access';
import type { Site } from '@portcullis/contract/sites';
import { canonicalPath, isAmbiguousPath } from '@portcullis/engine';
import type { Category, Mode, Sensitivity } from '@portcullis/engine/vocabulary';
import { type AddressSet, addressSetOf } from '../access/index.ts';
import { automationThreshold, type ClientTraits, judgeAutomation } from './automation.ts';
import type { ChallengeKind } from './pass.ts';
import type { Difficulty } from './puzzle.ts';
import type { BotVerdict } from './verified-bots.ts';

/** What asks every visitor without a pass for proof. */
interface StandingAsk {
  readonly kind: ChallengeKind;
  /** `log` records and lets pass */
  readonly mode: 'challenge' | 'log';
  readonly category: Category | undefined;
  readonly why: string;
}

/** Challenges of one site, compiled. */
export interface ChallengePolicy {
  /** what a rule, a limit or a category that says `challenge` asks for */
  readonly kind: ChallengeKind;
  readonly difficulty: Difficulty;
  /** seconds that a pass is worth */
  readonly passSeconds: number;
  readonly verifiedBotsAllowed: boolean;
  readonly standing: StandingAsk | undefined;
  readonly botFight: { readonly mode: Mode; readonly sensitivity: Sensitivity } | undefined;
  readonly exemptPaths: readonly string[];
  readonly exemptMethods: ReadonlySet<string>;
  readonly exemptAddresses: AddressSet;
}

/**
 * What each switch means: `under_attack` and `bot_protection` ask every visitor in the site's challenge mode,
 * `js_challenge` for a computation, `captcha_challenge` for a captcha (of several, the stronger counts; a category
 * in mode `log` only records), `bot_fight_mode` acts in its own mode on clients that look automated. A site at
 * level `off` asks nobody.
 */
export function compileChallengePolicy(site: Site): ChallengePolicy {
  const { bot_protection: bots, protection_config: config, security_level: level } = site;
  const active = level !== 'off';
  const fight = config.bot_fight_mode;
  return {
    kind: bots.challenge_mode,
    difficulty: bots.difficulty,
    passSeconds: bots.timeout,
    verifiedBotsAllowed: bots.verified_bots_allowed,
    standing: active ? standingAsk(site) : undefined,
    botFight: active && fight.enabled ? fight : undefined,
    exemptPaths: bots.exempt_paths,
    exemptMethods: new Set(bots.exempt_methods),
    exemptAddresses: addressSetOf(bots.exempt_addresses),
  };
}

function standingAsk({ bot_protection, protection_config, security_level }: Site): StandingAsk | undefined {
  const asks: StandingAsk[] = [];
  if (security_level === 'under_attack') {
    const why = 'the site is under attack';
    asks.push({ kind: bot_protection.challenge_mode, mode: 'challenge', category: undefined, why });
  }
  if (bot_protection.enabled) {
    const why = 'bot protection is on';
    asks.push({ kind: bot_protection.challenge_mode, mode: 'challenge', category: undefined, why });
  }
  for (const [category, kind, why] of [
    ['captcha_challenge', 'captcha', 'a captcha is asked of every visitor'],
    ['js_challenge', 'js', 'a browser check is asked of every visitor'],
  ] as const) {
    const choice = protection_config[category];
    if (choice.enabled) asks.push({ kind, mode: choice.mode === 'log' ? 'log' : 'challenge', category, why });
  }
  const weight = (ask: StandingAsk) => (ask.mode === 'challenge' ? 2 : 0) + (ask.kind === 'captcha' ? 1 : 0);
  return asks.reduce<StandingAsk | undefined>(
    (best, ask) => (best !== undefined && weight(best) >= weight(ask) ? best : ask),
    undefined,
  );
}

/** What is known of a request when challenges are decided. */
export interface ChallengeFacts {
  readonly method: string;
  /** origin form */
  readonly target: string;
  readonly address: AddressWords;
  readonly traits: ClientTraits;
  /** of a client that claims to be a search engine */
  readonly bot: BotVerdict | undefined;
  readonly hasPass: (needed: ChallengeKind) => boolean;
}

export interface ChallengeDecision {
  readonly action: 'block' | 'challenge' | 'log';
  readonly kind: ChallengeKind;
  readonly category: Category | undefined;
  /** one sentence for the event */
  readonly message: string;
}

/** @returns undefined where nothing is asked of the request */
export function decideChallenge(
  policy: ChallengePolicy,
  facts: ChallengeFacts,
): ChallengeDecision | undefined {
  if (policy.standing === undefined && policy.botFight === undefined) return undefined;
  if (isExempt(policy, facts)) return undefined;
  if (policy.verifiedBotsAllowed && facts.bot === 'verified') return undefined;
  const fight = decideFight(policy, facts);
  if (fight && fight.action !== 'log') return fight;
  const { standing } = policy;
  if (standing === undefined || facts.hasPass(standing.kind)) return fight;
  return {
    action: standing.mode,
    kind: standing.kind,
    category: standing.category,
    message: `${standing.mode === 'log' ? 'Would be challenged' : 'Challenged'}: ${standing.why}`,
  };
}

/**
 * Whether a path, a method or an address is never asked. `/api` is exempt with all below it, not `/apiary`, nor what an
 * application may read as another path, such as `/api/..%2flogin`.
 */
export function isExempt(
  policy: ChallengePolicy,
  { method, target, address }: Pick<ChallengeFacts, 'method' | 'target' | 'address'>,
): boolean {
  if (policy.exemptMethods.has(method) || policy.exemptAddresses.has(address)) return true;
  if (!policy.exemptPaths.some((path) => isUnder(path, target))) return false;
  // What is asked in vain costs a visitor a second, what is not asked at all the site its protection.
  if (isAmbiguousPath(target)) return false;
  const canonical = canonicalPath(target);
  return policy.exemptPaths.some((path) => isUnder(path, canonical));
}

function isUnder(path: string, target: string): boolean {
  if (!target.startsWith(path)) return false;
  const next = target.charAt(path.length);
  return path.endsWith('/') || next === '' || next === '/' || next === '?';
}

function decideFight(policy: ChallengePolicy, facts: ChallengeFacts): ChallengeDecision | undefined {
  const { botFight } = policy;
  if (botFight === undefined) return undefined;
  const { score, signs } = judgeAutomation(facts.traits);
  const impostor = facts.bot === 'impostor';
  const total = score + (impostor ? 8 : 0);
  if (total < automationThreshold[botFight.sensitivity]) return undefined;
  // A pass was worked for, so it outweighs what headers look like; a scanner's own name it does not.
  if (botFight.mode === 'challenge' && facts.hasPass(policy.kind)) return undefined;
  const reasons = impostor ? [...signs, 'claims to be a search engine from a foreign address'] : signs;
  const verb = { block: 'Blocked', challenge: 'Challenged', log: 'Would be blocked' }[botFight.mode];
  return {
    action: botFight.mode,
    kind: policy.kind,
    category: 'bot_fight_mode',
    message: `${verb}: the client looks automated: it ${reasons.join(', it ')}`,
  };
}
