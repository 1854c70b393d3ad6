import { type ClientRequest, type ClientResponse, Exchange } from '../exchange/index.ts';
import { forward, type UpstreamFailure } from '../forward/index.ts';
import { checkFraming } from '../listener/index.ts';
import { type Page, pages, sendPage } from '../pages/index.ts';
import type { Finding, Reporter } from '../report/index.ts';
import type { Configuration, ServedSite } from '../sites/index.ts';

export interface JourneyOptions {
  readonly reporter: Reporter;
  /** the configuration in force, asked once for each request, so that one request sees one configuration */
  readonly configuration: () => Configuration | undefined;
}

/**
 * The way of a request through the gateway, in the documented order of decision: framing → site → maintenance →
 * allow-listed address → blocked address → rate limit → custom rules → bot challenge → protection categories →
 * upstream.
 */
export class Journey {
  readonly #options: JourneyOptions;
  #underWay = 0;

  constructor(options: JourneyOptions) {
    this.#options = options;
  }

  /** exchanges that have begun and are not yet complete */
  get underWay(): number {
    return this.#underWay;
  }

  handle(request: ClientRequest, response: ClientResponse, scheme: 'http' | 'https'): void {
    const exchange = new Exchange(request, response, scheme);
    this.#underWay++;
    response.once('close', () => {
      this.#underWay--;
      this.#options.reporter.finished(exchange);
    });
    // Both ends of a broken connection emit errors that the close handler has already dealt with.
    request.on('error', ignore);
    response.on('error', ignore);
    this.#decide(exchange);
  }

  #decide(exchange: Exchange): void {
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
    const site = configuration.routes.find(exchange.host);
    if (site === undefined) {
      sendPage(exchange, pages.unknownSite);
      return;
    }
    exchange.siteId = site.config.id;
    exchange.responseMode = site.config.response_mode;
    if (configuration.snapshot.general.maintenanceMode) {
      exchange.outcome = 'block';
      sendPage(exchange, pages.maintenance, ['Retry-After', '120']);
      return;
    }
    if (exchange.target === '*') {
      sendPage(exchange, pages.methodRefused);
      return;
    }
    this.#forward(exchange, site);
  }

  #forward(exchange: Exchange, site: ServedSite): void {
    forward(exchange, site.upstream, {
      onFailure: (failure, started) => this.#upstreamFailed(exchange, site, failure, started),
    });
  }

  #upstreamFailed(exchange: Exchange, site: ServedSite, failure: UpstreamFailure, started: boolean): void {
    if (failure.kind === 'client-gone') {
      exchange.abort();
      return;
    }
    const page = failure.kind === 'timeout' ? pages.upstreamSlow : pages.upstreamDown;
    this.#options.reporter.record(exchange, started ? exchange.status : page.status, {
      kind: 'upstream_error',
      level: 'error',
      decision: 'pass',
      message: `Upstream ${site.upstream.origin}: ${failure.reason}${started ? ' (within its answer)' : ''}`,
    });
    // Part of the answer is out: only a broken connection tells the client that the rest is missing.
    if (started) exchange.abort();
    else sendPage(exchange, page);
  }

  #refuse(exchange: Exchange, page: Page, finding: Finding, headers: readonly string[] = []): void {
    exchange.outcome = 'block';
    this.#options.reporter.record(exchange, page.status, finding);
    sendPage(exchange, page, headers);
  }
}

const ignore = () => undefined;
