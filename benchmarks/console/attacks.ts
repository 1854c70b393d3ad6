import type { SecurityEvent } from '@portcullis/contract/events';
import type { EventSink } from '@portcullis/contract/link';

const paths = ['/search', '/login', '/api/orders', '/wp-login.php', '/cart/items', '/account/settings'];
const attack = "1' OR '1'='1' UNION SELECT card, cvv FROM payments -- ";

/** An event as a gateway reports it for a blocked request, about a kilobyte of JSON. */
function blocked(number: number, run: string): SecurityEvent {
  const path = `${paths[number % paths.length]}?q=${encodeURIComponent(attack)}&n=${number}`;
  return {
    id: `${run}_${number}`,
    requestId: `req_${run}_${number}`,
    time: Date.now(),
    gatewayId: run,
    kind: 'detection',
    level: number % 5 === 0 ? 'warning' : 'error',
    decision: number % 5 === 0 ? 'challenge' : 'block',
    method: 'GET',
    host: 'shop.example.com',
    path,
    status: 403,
    clientIp: `203.0.${(number >> 8) & 255}.${number & 255}`,
    userAgent:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140 Safari/537.36',
    category: 'sql_injection',
    ruleId: 'sqli-union-select',
    message: `Blocked: UNION SELECT joins a second query in query parameter q (${number})`,
    score: 5,
    count: 1,
    matches: [
      {
        ruleId: 'sqli-union-select',
        message: 'UNION SELECT joins a second query',
        category: 'sql_injection',
        severity: 'critical',
        score: 5,
        target: 'query:q',
        value: attack,
        span: [14, 26],
        transformations: ['urlDecode', 'lowercase', 'compressWhitespace'],
      },
    ],
  };
}

/** What became of a flood. */
export interface Flood {
  readonly sent: number;
  readonly seconds: number;
}

/**
 * Delivers events as a gateway does, in batches of a tenth of a second each, at a steady pace.
 * Throws when the service refuses a batch.
 * @param perSecond events a second
 */
export async function flood(sink: EventSink, perSecond: number, seconds: number): Promise<Flood> {
  const each = Math.round(perSecond / 10);
  const started = performance.now();
  const run = `bench${process.pid}-${Math.round(started)}`;
  let sent = 0;
  for (let batch = 0; batch < seconds * 10; batch++) {
    const events = Array.from({ length: each }, (_, index) => blocked(sent + index, run));
    const delivery = await sink.deliver({
      id: `${run}_batch_${batch}`,
      gatewayId: run,
      events,
      counters: [],
      dropped: 0,
    });
    if (!delivery.delivered) throw new Error(`refused: ${delivery.reason}`);
    sent += each;
    const due = started + (batch + 1) * 100;
    const early = due - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
  }
  return { sent, seconds: (performance.now() - started) / 1000 };
}
