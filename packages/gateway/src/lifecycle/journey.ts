import { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { resolveClient } from '../access/index.ts';
import { corsHeaderNames } from '../cors/index.ts';
import { type ClientRequest, type ClientResponse, Exchange, respond } from '../exchange/index.ts';
import { forward, forwardUpgrade, type Member, type UpstreamFailure } from '../forward/index.ts';
import { examine, type Judgement, type Prefix } from '../inspect/index.ts';
import { checkFraming } from '../listener/index.ts';
import { type Page, pages, sendPage } from '../pages/index.ts';
import type { Finding, Reporter } from '../report/index.ts';
import type { Configuration, ServedSite } from '../sites/index.ts';
import { Admitter } from './admission.ts';
import { sentenceOf } from './sentence.ts';

export interface JourneyOptions {
  readonly reporter: Reporter;
  /** the configuration in force, asked once for each request, so that one request sees one configuration */
  readonly configuration: () => Configuration | undefined;
}

/** A connection that its client wants to switch to another protocol. */
interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Where a request stands once its site is known. */
interface Stage {
  readonly exchange: Exchange;
  readonly site: ServedSite;
  readonly configuration: Configuration;
  readonly upgrade: Upgrade | undefined;
}

/**
 * The way of a request through the gateway, in the documented order of decision: framing → site → maintenance →
 * allow-listed address → blocked address → rate limit → custom rules → bot challenge → protection categories →
 * upstream.
 */
export class Journey {
  readonly #options: JourneyOptions;
  readonly #admitter = new Admitter();

  constructor(options: JourneyOptions) {
    this.#options = options;
  }

  handle(
    request: ClientRequest,
    response: ClientResponse,
    scheme: 'http' | 'https',
    upgrade?: Upgrade,
  ): void {
    const exchange = new Exchange(request, response, scheme);
    response.once('close', () => this.#options.reporter.finished(exchange));
    // Both ends of a broken connection emit errors that the close handler has already dealt with.
    request.on('error', ignore);
    response.on('error', ignore);
    this.#begin(exchange, upgrade);
  }

  /** The same for a connection that asks to be switched; answers of ours end it. */
  handleUpgrade(request: ClientRequest, socket: Duplex, head: Buffer, scheme: 'http' | 'https'): void {
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(request.socket);
    response.once('finish', () => socket.end());
    socket.on('error', ignore);
    this.handle(request, response, scheme, { socket, head });
  }

  #begin(exchange: Exchange, upgrade: Upgrade | undefined): void {
    const refusal = checkFraming(exchange);
    if (refusal) {
      const page = refusal.status === 405 ? pages.methodRefused : pages.badRequest;
      const finding = {
        kind: 'protocol',
        level: 'warning',
        decision: 'block',
        message: refusal.reason,
      } as const;
      this.#refuse(exchange, page, finding, ['Connection', 'close']);
      return;
    }
    const configuration = this.#options.configuration();
    if (configuration === undefined) {
      sendPage(exchange, pages.notConfigured, ['Retry-After', '5']);
      return;
    }
    const { trustedProxies } = configuration;
    Object.assign(exchange, resolveClient(exchange.peerIp, exchange.head.forwardedFor, trustedProxies));
    const site = configuration.routes.find(exchange.host);
    if (site === undefined) {
      sendPage(exchange, pages.unknownSite);
      return;
    }
    exchange.siteId = site.config.id;
    exchange.responseMode = site.config.response_mode;
    exchange.pageTexts = site.config.pages;
    this.#admit({ exchange, site, configuration, upgrade });
  }

  #admit(stage: Stage): void {
    const { exchange, site, configuration } = stage;
    const admission = this.#admitter.admit(exchange, site, configuration);
    if (admission.kind === 'answered') return;
    if (admission.kind === 'refused') {
      this.#refuse(exchange, admission.page, admission.finding, admission.headers);
      return;
    }
    if (exchange.target === '*') {
      sendPage(exchange, pages.methodRefused);
      return;
    }
    if (admission.kind === 'exempt' || site.policy === undefined) {
      this.#forward(stage);
      return;
    }
    examine(exchange, site.policy, (judgement, prefix) => this.#judged(stage, judgement, prefix));
  }

  #judged(stage: Stage, judgement: Judgement, prefix: Prefix | undefined): void {
    const { exchange } = stage;
    if (judgement.kind === 'gone' || exchange.closed) return;
    const sentence = sentenceOf(judgement, stage.site);
    if (sentence.kind === 'pass') {
      if (sentence.finding) this.#options.reporter.record(exchange, 0, sentence.finding);
      this.#forward(stage, prefix);
    } else if (sentence.kind === 'redirect') {
      exchange.outcome = 'redirect';
      this.#options.reporter.record(exchange, 302, sentence.finding);
      respond(exchange, 302, ['Location', sentence.location, 'Cache-Control', 'no-store'], '');
    } else {
      this.#refuse(exchange, pages.blocked, sentence.finding);
      const ban = this.#admitter.blocked(exchange, stage.configuration);
      if (ban) this.#options.reporter.record(exchange, pages.blocked.status, ban);
    }
  }

  #forward(stage: Stage, prefix?: Prefix): void {
    const { exchange, site, upgrade } = stage;
    const rewriteHost = site.config.upstream.host_header === 'upstream';
    if (upgrade) {
      forwardUpgrade(exchange, site.upstreams.pick(exchange.time), upgrade, {
        rewriteHost,
        onFailure: (failure, member) => this.#upstreamFailed(exchange, failure, member, false),
      });
      return;
    }
    forward(exchange, site.upstreams, {
      rewriteHost,
      withheld: site.cors ? corsHeaderNames : undefined,
      wholeBody: prefix?.kind === 'whole' ? prefix.bytes : undefined,
      onFailure: (failure, member, started) => this.#upstreamFailed(exchange, failure, member, started),
    });
  }

  #upstreamFailed(exchange: Exchange, failure: UpstreamFailure, member: Member, started: boolean): void {
    if (failure.kind === 'client-gone') {
      exchange.abort();
      return;
    }
    const page = failure.kind === 'timeout' ? pages.upstreamSlow : pages.upstreamDown;
    this.#options.reporter.record(exchange, started ? exchange.status : page.status, {
      kind: 'upstream_error',
      level: 'error',
      decision: 'pass',
      message: `Upstream ${member.upstream.origin}: ${failure.reason}${started ? ' (within its answer)' : ''}`,
    });
    // Part of the answer is out: only a broken connection tells the client that the rest is missing.
    if (started) exchange.abort();
    else sendPage(exchange, page);
  }

  #refuse(
    exchange: Exchange,
    page: Page,
    finding: Finding | undefined,
    headers: readonly string[] = [],
  ): void {
    exchange.outcome = 'block';
    if (finding) this.#options.reporter.record(exchange, page.status, finding);
    sendPage(exchange, page, headers);
  }
}

const ignore = () => undefined;
