import type { ResponseInspection } from '@portcullis/contract/sites';
import type { Leak } from '@portcullis/engine';
import type { Dispatcher } from 'undici';
import { corsHeaderNames } from '../cors/index.ts';
import type { Exchange } from '../exchange/index.ts';
import { forward, forwardUpgrade, loopMark, type Member, type UpstreamFailure } from '../forward/index.ts';
import { findingOfLeak, type LeakOutcome, type Prefix, ResponseGuard, readPrefix } from '../inspect/index.ts';
import { HeldMemory } from '../limits/index.ts';
import { pages, sendPage } from '../pages/index.ts';
import { notCarriedOut, type Reporter } from '../report/index.ts';
import { answerUnread, memoryUsedUp } from './sentence.ts';
import type { Stage } from './stage.ts';

/** The last part of a request's way: to the upstream, and the answer back past response inspection. */
export class Onward {
  readonly #reporter: Reporter;
  readonly #memory: HeldMemory;
  /** for decoders of answers: those of clients that do not read must not press out bodies of requests */
  readonly #decoding: HeldMemory;
  readonly #unread: HeldMemory;

  constructor(reporter: Reporter, memory: HeldMemory) {
    this.#reporter = reporter;
    this.#memory = memory;
    this.#decoding = new HeldMemory(memory.max / 4);
    this.#unread = new HeldMemory(memory.max);
  }

  /**
   * @param prefix what was read of the body before; a small body that was not is read now
   * @param mayPass asked of each piece of a body that streams
   */
  send(stage: Stage, prefix?: Prefix, mayPass?: (piece: Buffer | undefined) => boolean): void {
    const { exchange, site, upgrade } = stage;
    const mark = loopMark(site.id, stage.configuration.loopProof);
    const { rewriteHost, responseInspection } = site;
    const withheld = site.cors ? corsHeaderNames : undefined;
    const onlyReadable = responseInspection?.mode === 'block';
    const client = site.upstreams.keepsClients ? exchange.client : undefined;
    type Handler = Dispatcher.DispatchHandler;
    const past = responseInspection && ((inner: Handler) => this.#guard(stage, responseInspection, inner));
    if (upgrade) {
      forwardUpgrade(exchange, site.upstreams, upgrade, {
        client,
        rewriteHost,
        mark,
        onlyReadable,
        withheld,
        past,
        onFailure: (failure, member) => this.#upstreamFailed(exchange, failure, member, false),
      });
      return;
    }
    if (prefix === undefined && isSmall(exchange)) {
      readPrefix(exchange, maxSmallBytes + 1, this.#memory, (read) => {
        if (read.kind === 'gone') exchange.abort();
        else this.send(stage, read);
      });
      return;
    }
    forward(exchange, site.upstreams, {
      unread: this.#unread,
      client,
      rewriteHost,
      mark,
      onlyReadable,
      withheld,
      wholeBody: prefix?.kind === 'whole' ? prefix.bytes : undefined,
      onDrawn: () => this.#memory.give(exchange),
      mayPass,
      past,
      onFailure: (failure, member, started) => this.#upstreamFailed(exchange, failure, member, started),
    });
  }

  #guard(
    { exchange, site }: Stage,
    inspection: ResponseInspection,
    relay: Dispatcher.DispatchHandler,
  ): ResponseGuard {
    // What is only watched is looked into as where finds are only told of, which `inspection` says.
    const { mode: asked } = site.config.response_inspection;
    const watched = asked === 'block' && site.watchOnly;
    return new ResponseGuard(relay, {
      exchange,
      inspection,
      memory: this.#memory,
      decoding: this.#decoding,
      onLeak: (leak, what) => {
        if (watched) {
          const finding = notCarriedOut(findingOfLeak(leak, 'withheld'));
          this.#reporter.record(exchange, exchange.status, finding);
        } else this.#leaked(exchange, leak, what);
      },
      onStarved: (started) => {
        // Where finds are only told of, so is what could not be looked at.
        const mode = asked === 'log' ? 'pass' : site.failureModes.over_budget;
        if (watched) {
          this.#reporter.record(exchange, exchange.status, notCarriedOut(memoryUsedUp(mode)));
          return true;
        }
        const block = mode === 'block';
        this.#reporter.record(
          exchange,
          block && !started ? pages.overloaded.status : exchange.status,
          memoryUsedUp(mode),
        );
        if (block && started) exchange.abort();
        else if (block) sendPage(exchange, pages.overloaded, ['Retry-After', '2']);
        return !block;
      },
      onUndecoded: (status, started) => {
        const mode = asked === 'block' ? site.failureModes.undecoded : 'pass';
        if (watched) {
          this.#reporter.record(exchange, status, notCarriedOut(answerUnread(mode)));
          return true;
        }
        if (mode === 'block') this.#withholdUnread(exchange, started);
        else this.#reporter.record(exchange, status, answerUnread(mode));
        return mode === 'pass';
      },
    });
  }

  #leaked(exchange: Exchange, leak: Leak, what: LeakOutcome): void {
    const status = what === 'withheld' ? pages.answerWithheld.status : exchange.status;
    this.#reporter.record(exchange, status, findingOfLeak(leak, what));
    if (what === 'noticed') return;
    exchange.outcome = 'block';
    if (what === 'withheld') sendPage(exchange, pages.answerWithheld);
    // Part of it is out: a broken connection tells the client that the rest is missing.
    else exchange.abort();
  }

  #withholdUnread(exchange: Exchange, started: boolean): void {
    const status = started ? exchange.status : pages.answerWithheld.status;
    this.#reporter.record(exchange, status, answerUnread('block'));
    if (started) exchange.abort();
    else sendPage(exchange, pages.answerWithheld);
  }

  #upstreamFailed(exchange: Exchange, failure: UpstreamFailure, member: Member, started: boolean): void {
    if (failure.kind === 'client-gone') {
      exchange.abort();
      return;
    }
    const page = failurePages[failure.kind];
    this.#reporter.record(exchange, started ? exchange.status : page.status, {
      kind: 'upstream_error',
      level: 'error',
      decision: 'pass',
      message: `Upstream ${member.upstream.origin}: ${failure.reason}${started ? ' (within its answer)' : ''}`,
    });
    // Part of the answer is out: only a broken connection tells the client that the rest is missing.
    if (started) exchange.abort();
    else sendPage(exchange, page, failure.kind === 'crowded' ? ['Retry-After', '2'] : []);
  }
}

const failurePages = {
  unreachable: pages.upstreamDown,
  broken: pages.upstreamDown,
  timeout: pages.upstreamSlow,
  crowded: pages.overloaded,
} as const;

/** A body up to this size is gathered and sent with its head: a stream of its own costs more than it holds. */
const maxSmallBytes = 16 * 1024;

const isSmall = ({ hasBody, head }: Exchange) => hasBody && Number(head.contentLength) <= maxSmallBytes;
