import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { parseAddress } from '@portcullis/contract/access';
import type { SharedLimits } from '@portcullis/contract/link';
import { clientKey, forwardedScheme, HiddenProxies, resolveClient } from '../access/index.ts';
import { type ChallengeKind, KeyRing } from '../challenge/index.ts';
import { abandon, type ClientRequest, type ClientResponse, Exchange, respond } from '../exchange/index.ts';
import { goesRound, loopMark } from '../forward/index.ts';
import { ServerResponse } from '../http-server.ts';
import { examine, examineRest, type Judgement, type Prefix } from '../inspect/index.ts';
import { HeldMemory } from '../limits/index.ts';
import { checkFraming, part } from '../listener/index.ts';
import { type Page, pages, sendPage } from '../pages/index.ts';
import { type Finding, notCarriedOut, type Reporter } from '../report/index.ts';
import type { Configuration, ServedSite } from '../sites/index.ts';
import { acmeAnswer } from './acme-answer.ts';
import { type Admission, Admitter } from './admission.ts';
import type { BanDesk } from './ban-desk.ts';
import { ChallengeDesk, findingOfChallenge } from './challenge-desk.ts';
import { setDeadline } from './deadline.ts';
import { movesToHttps } from './moves-to-https.ts';
import { Onward } from './onward.ts';
import { type Sentence, sentenceOf } from './sentence.ts';
import type { Stage, Upgrade } from './stage.ts';

export interface JourneyOptions {
  readonly reporter: Reporter;
  /** the configuration in force, asked once for each request, so that one request sees one configuration */
  readonly configuration: () => Configuration | undefined;
  /** bytes of bodies that this process may hold for inspection */
  readonly maxHeldBytes: number;
  /** absent where this gateway counts for itself */
  readonly limits: SharedLimits | undefined;
}

/**
 * The way of a request through the gateway, in the documented order of decision: framing → site → loop → maintenance →
 * allow-listed address → blocked address → rate limit → custom rules → bot challenge → protection categories →
 * upstream. A custom rule that allows leads from there to the upstream.
 */
export class Journey {
  readonly #options: JourneyOptions;
  readonly #admitter: Admitter;
  readonly #desk: ChallengeDesk;
  readonly #memory: HeldMemory;
  readonly #onward: Onward;
  readonly bans: BanDesk;
  readonly hiddenProxies = new HiddenProxies();
  /** set while stopping: answers then end their connections */
  draining = false;
  /** where a redirect to HTTPS goes that came to a port of ours */
  httpsPort = 443;
  /** the address that a balancer named by PROXY protocol, where it did */
  sourceOf: (socket: Socket) => string | undefined = () => undefined;

  readonly #onAnswer = (exchange: Exchange) => this.#memory.give(exchange);
  readonly #onFault = (exchange: Exchange, error: unknown) => this.#broke(exchange, error);

  constructor(options: JourneyOptions) {
    this.#options = options;
    this.#admitter = new Admitter(options.limits);
    this.bans = this.#admitter.bans;
    this.#memory = new HeldMemory(options.maxHeldBytes);
    this.#onward = new Onward(options.reporter, this.#memory);
    this.#desk = new ChallengeDesk(() => options.configuration()?.keyRing ?? new KeyRing([]), options.limits);
  }

  handle(
    request: ClientRequest,
    response: ClientResponse,
    scheme: 'http' | 'https',
    upgrade?: Upgrade,
  ): void {
    const exchange = new Exchange(request, response, scheme, this.sourceOf(request.socket));
    if (this.draining) response.shouldKeepAlive = false;
    exchange.atEnd(() => {
      this.#memory.give(exchange);
      this.#options.reporter.finished(exchange);
    });
    // Both ends of a broken connection emit errors that the close handler has already dealt with.
    request.on('error', ignore);
    response.on('error', ignore);
    exchange.onFault = this.#onFault;
    exchange.onAnswer = this.#onAnswer;
    exchange.attempt(() => this.#begin(exchange, upgrade));
  }

  /** The same for a connection that asks to be switched; answers of ours end it. */
  handleUpgrade(request: ClientRequest, socket: Duplex, head: Buffer, scheme: 'http' | 'https'): void {
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(request.socket);
    response.once('finish', () => part(socket));
    socket.on('error', ignore);
    this.handle(request, response, scheme, { socket, head });
  }

  /** A bug of ours costs this one request; the others of the worker go on. */
  #broke(exchange: Exchange, error: unknown): void {
    const message = `The gateway failed: ${error instanceof Error ? error.message : String(error)}`;
    this.#options.reporter.record(exchange, pages.internal.status, {
      kind: 'engine',
      level: 'error',
      decision: 'block',
      message,
    });
    exchange.onFault = abandon;
    // One of them may be what could not be written.
    exchange.extraHeaders.length = 0;
    if (exchange.response.headersSent) exchange.abort();
    else exchange.attempt(() => sendPage(exchange, pages.internal));
  }

  #begin(exchange: Exchange, upgrade: Upgrade | undefined): void {
    const refusal = checkFraming(exchange);
    if (refusal) {
      const finding = {
        kind: 'protocol',
        level: 'warning',
        decision: 'block',
        message: refusal.reason,
      } as const;
      this.#refuse(exchange, pages[refusal.page], finding, ['Connection', 'close']);
      return;
    }
    const configuration = this.#options.configuration();
    if (configuration === undefined) {
      sendPage(exchange, pages.notConfigured, ['Retry-After', '5']);
      return;
    }
    const { totalTimeout } = configuration.snapshot.general;
    if (totalTimeout > 0) setDeadline(exchange, totalTimeout, this.#options.reporter);
    const acme = acmeAnswer(configuration, exchange);
    if (acme !== undefined) {
      respond(exchange, 200, ['Content-Type', 'application/octet-stream'], acme);
      return;
    }
    const { trustedProxies } = configuration;
    Object.assign(exchange, resolveClient(exchange.peerIp, exchange.head.forwardedFor, trustedProxies));
    if (exchange.byProxy) exchange.scheme = forwardedScheme(exchange.head.forwardedProto) ?? exchange.scheme;
    else this.hiddenProxies.note(exchange.peerIp, exchange.head.forwardedFor, exchange.startedAt);
    const named = configuration.routes.named(exchange.host);
    exchange.isNamedHost = named !== undefined;
    const site = named ?? configuration.routes.covering(exchange.host);
    if (site === undefined) {
      exchange.atEnd(() => this.#options.reporter.sightUnknownHost(exchange));
      sendPage(exchange, pages.unknownSite);
      return;
    }
    exchange.siteId = site.id;
    exchange.counters = site.counters;
    exchange.responseMode = site.responseMode;
    exchange.pageTexts = site.pages;
    exchange.accessLog = site.accessLog;
    if (goesRound(exchange, loopMark(site.id, configuration.loopProof))) {
      this.#refuseLoop(exchange, site);
      return;
    }
    if (movesToHttps(exchange, site, configuration, this.httpsPort)) return;
    const client = parseAddress(exchange.clientIp) ?? unknownAddress;
    exchange.client = clientKey(client);
    this.#admit({ exchange, site, configuration, client, upgrade });
  }

  /** It would go round until a time limit or the last connection ends it. */
  #refuseLoop(exchange: Exchange, { upstreams }: ServedSite): void {
    const origins = upstreams.members.map(({ upstream }) => upstream.origin).join(', ');
    this.#options.reporter.record(exchange, pages.loop.status, {
      kind: 'upstream_error',
      level: 'error',
      decision: 'pass',
      message: `The request came back again and again after it was forwarded: the upstream leads to this gateway again (${origins})`,
    });
    sendPage(exchange, pages.loop);
  }

  #admit(stage: Stage): void {
    const { exchange } = stage;
    const admission = this.#admitter.admit(stage, (finding) => this.#recordAtEnd(exchange, finding));
    if (admission instanceof Promise) {
      admission.then((known) => this.#proceed(stage, known)).catch((error) => this.#broke(exchange, error));
    } else this.#proceed(stage, admission);
  }

  #proceed(stage: Stage, admission: Admission): void {
    const { exchange } = stage;
    // The client may be gone while others were asked.
    if (exchange.response.destroyed) return;
    switch (admission.kind) {
      case 'answered':
        return;
      case 'refused':
        this.#refuse(exchange, admission.page, admission.finding, admission.headers);
        return;
      case 'challenged':
        if (this.#desk.isAnswer(stage)) this.#enter(stage);
        else this.#challenge(stage, stage.site.challenge.kind, admission.finding, () => this.#enter(stage));
        return;
      case 'exempt':
        this.#onward.send(stage);
        return;
      case 'admitted':
        this.#enter(stage);
        return;
    }
  }

  #enter(stage: Stage): void {
    const { exchange, site } = stage;
    if (exchange.target === '*') {
      sendPage(exchange, pages.methodRefused);
      return;
    }
    if (this.#desk.isAnswer(stage)) {
      this.#desk.takeAnswer(stage, (finding) => this.#recordAtEnd(exchange, finding));
      return;
    }
    const { policy } = site;
    const look = () => {
      if (policy === undefined) {
        this.#onward.send(stage);
        return;
      }
      examine(exchange, policy, this.#memory, (judgement, prefix) => this.#judged(stage, judgement, prefix));
    };
    // Custom rules stand before the challenge and need the request read; without any, nothing is read of a visitor
    // who has yet to prove itself.
    if (site.customRuleIds.size > 0) look();
    else this.#askForProof(stage, look);
  }

  #askForProof(stage: Stage, then: () => void): void {
    this.#desk.decide(stage, (decision) => {
      if (decision === undefined) {
        then();
        return;
      }
      const finding = findingOfChallenge(decision);
      if (decision.action === 'block' && !stage.site.watchOnly) {
        this.#block(stage, finding);
        return;
      }
      if (decision.action === 'challenge') {
        this.#challenge(stage, decision.kind, finding, then);
        return;
      }
      this.#recordAtEnd(stage.exchange, notCarriedOut(finding));
      then();
    });
  }

  #challenge(stage: Stage, kind: ChallengeKind, finding: Finding, passed: () => void): void {
    if (this.#isSpared(stage, kind, finding)) {
      passed();
      return;
    }
    const status = this.#desk.present(stage, kind);
    this.#options.reporter.record(stage.exchange, status, finding);
  }

  /** Whoever has a pass goes on: a visitor that proved itself is not asked again until the pass ends. */
  #isSpared(stage: Stage, kind: ChallengeKind, finding: Finding): boolean {
    const { exchange, site } = stage;
    if (this.#desk.hasPass(stage, kind)) {
      // What an attacker with a pass sends still stands in the log.
      if (finding.matches !== undefined) this.#recordAtEnd(exchange, { ...finding, decision: 'log' });
      return true;
    }
    if (site.watchOnly) this.#recordAtEnd(exchange, notCarriedOut(finding));
    return site.watchOnly;
  }

  #judged(stage: Stage, judgement: Judgement, prefix: Prefix | undefined): void {
    const { exchange, site } = stage;
    if (judgement.kind === 'gone' || exchange.closed) return;
    const sentence = sentenceOf(judgement, site);
    const carryOut = () => this.#carryOut(stage, sentence, prefix);
    const { finding } = sentence;
    const byRule = finding?.ruleId !== undefined && site.customRuleIds.has(finding.ruleId);
    const isDecided =
      sentence.kind === 'pass' ? sentence.allowed || (byRule && finding.would !== undefined) : byRule;
    if (site.customRuleIds.size > 0 && !isDecided) this.#askForProof(stage, carryOut);
    else carryOut();
  }

  #carryOut(stage: Stage, sentence: Sentence, prefix: Prefix | undefined): void {
    const { exchange, site } = stage;
    switch (sentence.kind) {
      case 'pass':
        if (sentence.finding) this.#recordAtEnd(exchange, sentence.finding);
        if (sentence.allowed) this.#onward.send(stage, prefix);
        else this.#send(stage, prefix);
        return;
      case 'redirect':
        exchange.outcome = 'redirect';
        this.#options.reporter.record(exchange, 302, sentence.finding);
        respond(exchange, 302, ['Location', asciiUrl(sentence.location), 'Cache-Control', 'no-store'], '');
        return;
      case 'challenge':
        this.#challenge(stage, site.challenge.kind, sentence.finding, () => this.#send(stage, prefix));
        return;
      case 'block':
        this.#block(stage, sentence.finding);
        return;
      case 'overload':
        this.#refuse(exchange, pages.overloaded, sentence.finding, ['Retry-After', '2']);
        return;
    }
  }

  /** What of the body is beyond its prefix is looked at on its way to the upstream, which gets no end of a hostile one. */
  #send(stage: Stage, prefix: Prefix | undefined): void {
    const { exchange, site } = stage;
    const watches = prefix?.kind === 'part' && site.failureModes.oversize === 'inspect';
    const look = watches && site.policy ? examineRest(exchange, site.policy, prefix) : undefined;
    let noticed = false;
    let spared = false;
    this.#onward.send(
      stage,
      prefix,
      look &&
        ((piece) => {
          const judgement = look(piece);
          if (judgement.kind === 'gone') return true;
          const sentence = sentenceOf(judgement, site);
          if (sentence.kind === 'challenge') {
            spared ||= this.#isSpared(stage, site.challenge.kind, sentence.finding);
            if (spared) return true;
          }
          if (sentence.kind !== 'pass') {
            this.#stop(stage, sentence);
            return false;
          }
          if (sentence.finding && !noticed) this.#recordAtEnd(exchange, sentence.finding);
          noticed ||= sentence.finding !== undefined;
          return true;
        }),
    );
  }

  /** The upstream may have answered before it had all. */
  #stop(stage: Stage, sentence: Exclude<Sentence, { kind: 'pass' }>): void {
    const { exchange } = stage;
    if (!exchange.response.headersSent) {
      this.#carryOut(stage, sentence, undefined);
      return;
    }
    exchange.outcome = 'block';
    this.#options.reporter.record(exchange, exchange.status, sentence.finding);
    exchange.abort();
  }

  #block(stage: Stage, finding: Finding): void {
    this.#refuse(stage.exchange, pages.blocked, finding);
    if (stage.exchange.outcome !== 'block') return;
    const { reporter } = this.#options;
    this.bans.blocked(stage, finding, (begun, ban) => {
      reporter.record(stage.exchange, pages.blocked.status, begun);
      reporter.recordBan(ban);
    });
  }

  /** What goes on to the upstream is recorded with the status that the client got in the end. */
  #recordAtEnd(exchange: Exchange, finding: Finding): void {
    exchange.ruleId = finding.ruleId ?? exchange.ruleId;
    exchange.atEnd(() => this.#options.reporter.record(exchange, exchange.status, finding));
  }

  #refuse(
    exchange: Exchange,
    page: Page,
    finding: Finding | undefined,
    headers: readonly string[] = [],
  ): void {
    // Maintenance and what the gateway had no room for or failed at are not the client's misdeed.
    if (finding !== undefined && finding.kind !== 'engine') exchange.outcome = 'block';
    if (finding) this.#options.reporter.record(exchange, page.status, finding);
    sendPage(exchange, page, headers);
  }
}

const ignore = () => undefined;

/** A peer without an address, such as one on a Unix socket: listed nowhere, limited as one client. */
const unknownAddress = [0] as const;

/** What an operator wrote in other letters, as a header can carry it: RFC 3987 §3.1. */
const asciiUrl = (url: string) => url.replaceAll(/[^\x21-\x7e]/gu, encodeURIComponent);
