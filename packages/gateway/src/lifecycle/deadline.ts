import type { Exchange } from '../exchange/index.ts';
import { settled, wait } from '../forward/index.ts';
import { pages, sendPage } from '../pages/index.ts';
import type { Reporter } from '../report/index.ts';

/** An exchange that has become a WebSocket: no request any more, and bounded by its silence alone. */
const switching = 101;

/**
 * Bounds a request with its answer, however busy its ends are: a drip that no other limit notices ends here.
 * @param seconds from its first byte on
 */
export function setDeadline(exchange: Exchange, seconds: number, reporter: Reporter): void {
  let waiting = true;
  const end = () => {
    if (waiting) settled(place);
    waiting = false;
  };
  const place = wait({
    heardAt: exchange.startedAt,
    patienceMs: () => seconds * 1000,
    giveUp: () => {
      end();
      if (exchange.closed || exchange.status === switching) return;
      exchange.attempt(() => overdue(exchange, seconds, reporter));
    },
  });
  exchange.atEnd(end);
}

/** The page is for who waits for the upstream; who is still sending, or has a part of the answer, is cut off. */
function overdue(exchange: Exchange, seconds: number, reporter: Reporter): void {
  const { request, status, hasBody } = exchange;
  const page = pages.upstreamSlow;
  const cut = status !== 0 || (hasBody && !request.readableEnded);
  reporter.record(exchange, cut ? status : page.status, {
    kind: 'protocol',
    level: 'warning',
    decision: 'pass',
    message: `Ended after ${seconds} s: the time that a request may take in all`,
  });
  if (cut) exchange.abort();
  else sendPage(exchange, page);
}
