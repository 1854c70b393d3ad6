import { describe, expect, it } from 'vitest';
import { type BotResolver, VerifiedBots } from './index.ts';

const google = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const missing = () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }));
const broken = () => Promise.reject(Object.assign(new Error('away'), { code: 'ESERVFAIL' }));

type Zone = Record<string, string[]> | BotResolver['reverse'];

function start(zones: { reverse?: Zone; forward?: Zone }) {
  const clock = { now: 0 };
  const asked: string[] = [];
  const resolve =
    (zone: Zone = {}) =>
    (name: string) => {
      asked.push(name);
      return typeof zone === 'function' ? zone(name) : zone[name] ? Promise.resolve(zone[name]) : missing();
    };
  const resolver = { reverse: resolve(zones.reverse), lookup: resolve(zones.forward) };
  return { clock, asked, bots: new VerifiedBots({ resolver, now: () => clock.now, timeoutMs: 50 }) };
}
const honest = {
  reverse: { '66.249.66.1': ['crawl-66-249-66-1.googlebot.com.'], '2001:4860::1': ['a.googlebot.com'] },
  forward: { 'crawl-66-249-66-1.googlebot.com': ['66.249.66.1'], 'a.googlebot.com': ['2001:4860:0::1'] },
};

describe('a search engine', () => {
  it.each(['66.249.66.1', '2001:4860::1'])('is believed at %s when names agree both ways', async (ip) => {
    expect(await start(honest).bots.check(ip, google)).toBe('verified');
  });

  it.each([
    ['an address of somebody else', '203.0.113.9', { reverse: { '203.0.113.9': ['host.example'] } }],
    ['an address without a name', '203.0.113.9', {}],
    [
      'a reverse zone that lies',
      '203.0.113.9',
      {
        reverse: { '203.0.113.9': ['crawl.googlebot.com'] },
        forward: { 'crawl.googlebot.com': ['66.249.66.1'] },
      },
    ],
    ['a name that only looks alike', '203.0.113.9', { reverse: { '203.0.113.9': ['evilgooglebot.com'] } }],
    ['a name that does not exist', '203.0.113.9', { reverse: { '203.0.113.9': ['x.googlebot.com'] } }],
  ])('is an impostor with %s', async (_case, ip, zones) => {
    expect(await start(zones).bots.check(ip, google)).toBe('impostor');
  });

  it('is neither while DNS fails or does not answer', async () => {
    expect(await start({ reverse: broken }).bots.check('66.249.66.1', google)).toBe('unproven');
    const silent = () => new Promise<string[]>(() => undefined);
    expect(await start({ reverse: silent }).bots.check('66.249.66.1', google)).toBe('unproven');
  });

  it('is no question for a browser', () => {
    expect(start(honest).bots.check('66.249.66.1', 'Mozilla/5.0 (X11; Linux) Firefox/140.0')).toBeUndefined();
  });

  it('is asked of DNS once a day, and once for requests at the same time', async () => {
    const { bots, asked, clock } = start(honest);
    await Promise.all([bots.check('66.249.66.1', google), bots.check('66.249.66.1', google)]);
    expect(asked).toHaveLength(2);
    clock.now = 86_399_000;
    expect(bots.check('66.249.66.1', google)).toBe('verified');
    clock.now = 86_400_000;
    await bots.check('66.249.66.1', google);
    expect(asked).toHaveLength(4);
  });

  it('costs a bounded number of look-ups, whoever claims to be one', async () => {
    const { bots } = start({ reverse: () => new Promise<string[]>(() => undefined) });
    const checks = Array.from({ length: 100 }, (_, index) => bots.check(`203.0.113.${index}`, google));
    expect(checks.filter((check) => check instanceof Promise)).toHaveLength(32);
    expect(checks.filter((check) => check === 'unproven')).toHaveLength(68);
    for (const check of checks) await check;
  });
});
