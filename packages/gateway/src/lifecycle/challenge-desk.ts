import type { SharedLimits } from '@portcullis/contract/link';
import {
  type Answered,
  type ChallengeDecision,
  type ChallengeKind,
  Challenger,
  challengeEndpoint,
  decideChallenge,
  type KeyRing,
  nameServers,
  type Reply,
  VerifiedBots,
} from '../challenge/index.ts';
import { type Exchange, respond } from '../exchange/index.ts';
import type { Finding } from '../report/index.ts';
import type { Stage } from './stage.ts';

/** An answer to a challenge is a few hundred bytes; a larger body is none. */
const maxAnswerBytes = 16 * 1024;

/** Puts challenges to visitors, takes their answers, and knows who has passed. */
export class ChallengeDesk {
  readonly #challenger: Challenger;
  readonly #bots = new VerifiedBots({ resolver: nameServers(), now: () => performance.now() });

  /** @param ring the keys in force. @param shared where gateways share what was used; absent: each for itself */
  constructor(ring: () => KeyRing, shared: SharedLimits | undefined) {
    const claim = shared && ((token: string, forMs: number) => shared.claim(token, forMs));
    this.#challenger = new Challenger({ ring, now: Date.now, claim });
  }

  isAnswer({ exchange }: Stage): boolean {
    return exchange.method === 'POST' && exchange.target === challengeEndpoint;
  }

  /** Reads an answer and replies with a pass or with what was wrong. @param failed called with the reason */
  takeAnswer(stage: Stage, failed: (finding: Finding) => void): void {
    const { exchange, site } = stage;
    const conclude = ({ passed, reason, reply }: Answered) => {
      if (!passed) {
        exchange.outcome = 'challenge';
        failed({ ...challengeFinding(`A challenge was not solved: ${reason ?? 'wrong'}`), level: 'info' });
      }
      send(exchange, reply);
    };
    exchange.sendContinue();
    readForm(exchange, (form) => {
      const answered = this.#challenger.answer(visitorOf(stage), form, {
        difficulty: site.challenge.difficulty,
        seconds: site.challenge.passSeconds,
        secure: exchange.scheme === 'https',
        wantsPage: true,
        texts: exchange.pageTexts,
        reference: exchange.id,
      });
      answered.then(
        (done) => exchange.attempt(() => conclude(done)),
        (error: unknown) => exchange.onFault(exchange, error),
      );
    });
  }

  /** @returns what the site asks of every visitor or of one that looks automated; undefined where nothing is */
  decide(stage: Stage, then: (decision: ChallengeDecision | undefined) => void): void {
    const { exchange, site, client } = stage;
    const policy = site.challenge;
    if (policy.standing === undefined && policy.botFight === undefined) {
      then(undefined);
      return;
    }
    const userAgent = exchange.head.userAgent ?? '';
    const bot = this.#bots.check(exchange.clientIp, userAgent);
    const conclude = (verdict: Awaited<typeof bot>) => {
      const { method, target, scheme, request } = exchange;
      const header = (name: string) => exchange.header(name);
      const traits = { userAgent, httpVersion: request.httpVersion, scheme, header };
      const hasPass = (needed: ChallengeKind) => this.hasPass(stage, needed);
      then(decideChallenge(policy, { method, target, address: client, traits, bot: verdict, hasPass }));
    };
    if (bot instanceof Promise) void bot.then((verdict) => exchange.attempt(() => conclude(verdict)));
    else conclude(bot);
  }

  hasPass(stage: Stage, needed: ChallengeKind): boolean {
    return this.#challenger.hasPass(visitorOf(stage), stage.exchange.head.cookie, needed);
  }

  /** Answers with the challenge: a page for browsers, JSON with a reason for programs. */
  present(stage: Stage, kind: ChallengeKind): Reply['status'] {
    const { exchange, site } = stage;
    exchange.outcome = 'challenge';
    const reply = this.#challenger.present(visitorOf(stage), {
      kind,
      difficulty: site.challenge.difficulty,
      wantsPage: wantsPage(exchange),
      texts: exchange.pageTexts,
      reference: exchange.id,
      method: exchange.method,
      target: exchange.target,
    });
    send(exchange, reply);
    return reply.status;
  }
}

/** @returns what is told of a challenge decision */
export function findingOfChallenge({ action, category, message }: ChallengeDecision): Finding {
  const base = challengeFinding(message);
  return { ...base, decision: action, ...(category === undefined ? {} : { category }) };
}

const challengeFinding = (message: string) =>
  ({ kind: 'challenge', level: 'info', decision: 'challenge', message }) as const;

const visitorOf = ({ exchange, site, client }: Stage) => ({
  siteId: site.id,
  address: client,
  userAgent: exchange.head.userAgent ?? '',
});

/** A page is for who can show and solve one: a navigation, not a script's call, an image or a program. */
function wantsPage(exchange: Exchange): boolean {
  if (!/\btext\/html\b/i.test(exchange.head.accept ?? '')) return false;
  const destination = exchange.header('sec-fetch-dest');
  return destination === undefined || /^(?:document|i?frame)$/.test(destination);
}

function send(exchange: Exchange, { status, headers, body }: Reply): void {
  respond(exchange, status, [...headers], body);
}

function readForm(exchange: Exchange, done: (form: URLSearchParams) => void): void {
  const { request } = exchange;
  let text = '';
  request.on('data', (chunk: Buffer) => {
    if (text.length <= maxAnswerBytes) text += chunk.toString('latin1');
  });
  request.once('end', () => {
    exchange.attempt(() => done(new URLSearchParams(text.length > maxAnswerBytes ? '' : text)));
  });
}
