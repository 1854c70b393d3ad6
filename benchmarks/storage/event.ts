import type { SecurityEvent } from '../../packages/contract/src/events/index.ts';

/**
 * One event of a log that has every extreme: a site with 60 % of all and no warning, one site with one event in
 * 50,000, a level with one in 200,000, an address with half of all, and 3,000 combinations of the rest.
 * @param at Unix milliseconds
 */
export function event(index: number, at: number): SecurityEvent {
  const site = index % 5 < 3 ? 0 : 1 + (index % 19);
  const warning = site !== 0 && index % 3 === 0;
  const ofOthers = index % 7 === 0 ? 'xxe' : 'xss';
  return {
    id: `evt-${index}`,
    requestId: `req-${index}`,
    time: at,
    gatewayId: 'gateway-1',
    kind: 'detection',
    level: index % 200_000 === 5 ? 'info' : warning ? 'warning' : 'error',
    decision: warning ? 'challenge' : 'block',
    siteId: index % 50_000 === 17 ? 'site_rare' : `site_${site}`,
    method: 'GET',
    host: 'shop.example.com',
    path: `/products/${index % 5000}?id=1%20union%20select`,
    status: 403,
    clientIp: index % 2 === 0 ? '198.51.100.9' : `203.0.${(index >> 8) % 256}.${index % 256}`,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
    category: site === 0 ? (index % 4 === 0 ? 'xss' : 'sql_injection') : ofOthers,
    ruleId: site === 0 ? `rule-${index % 40}` : `rule-${40 + (index % 41)}`,
    message: 'Blocked: SQL injection in query parameter id',
    score: 5,
    matches: [],
    count: 1,
  };
}

/** Values of each filter: what most events have, what few have, and what none has. */
const values = {
  siteId: ['site_0', 'site_3', 'site_rare', 'nowhere'],
  level: [['error'], ['warning'], ['info'], ['debug'], ['warning', 'info']],
  action: [['blocked'], ['challenged'], ['logged']],
  category: [['sql_injection'], ['xxe'], ['ssrf'], ['xss', 'xxe']],
  ruleId: ['rule-7', 'rule-41', 'rule-none'],
  clientIp: ['198.51.100.9', '203.0.7.7', '192.0.2.1'],
  requestId: ['req-4242', 'req-none'],
};

/** Nothing, each value alone, and every pair of values of two filters. */
export function everyPair(): object[] {
  const single = Object.entries(values).flatMap(([name, list]) =>
    list.map((value) => ({ name, filter: { [name]: value } })),
  );
  const pairs = single.flatMap((one, index) =>
    single
      .slice(index + 1)
      .filter((other) => other.name !== one.name)
      .map((other) => ({ ...one.filter, ...other.filter })),
  );
  return [{}, ...single.map(({ filter }) => filter), ...pairs];
}
