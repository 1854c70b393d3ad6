import { describe, expect, it, vi } from 'vitest';
import { startNameServer } from '../testing/index.ts';
import { type BotResolver, nameServers, VerifiedBots } from './index.ts';

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

  it('is believed from then on where DNS answered too late for its first request', async () => {
    const answer = Promise.withResolvers<string[]>();
    const { bots } = start({ ...honest, reverse: () => answer.promise });
    expect(await bots.check('66.249.66.1', google)).toBe('unproven');
    expect(bots.check('66.249.66.1', google)).toBe('unproven');
    answer.resolve(honest.reverse['66.249.66.1']);
    await vi.waitFor(() => expect(bots.check('66.249.66.1', google)).toBe('verified'));
  });

  it.each([
    'Mozilla/5.0 (X11; Linux) Firefox/140.0',
    'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 YaBrowser/25.8 Yowser/2.5 Safari/537.36',
    'Mozilla/5.0 (Linux; arm_64; Android 15) Chrome/140.0 YandexSearch/25.80 Mobile Safari/537.36',
  ])('is no question for who reads: %s', (userAgent) => {
    expect(start(honest).bots.check('66.249.66.1', userAgent)).toBeUndefined();
  });

  it('is not anybody who rents a machine of the same company', async () => {
    const rented = {
      reverse: { '34.1.2.3': ['3.2.1.34.bc.googleusercontent.com'] },
      forward: { '3.2.1.34.bc.googleusercontent.com': ['34.1.2.3'] },
    };
    expect(await start(rented).bots.check('34.1.2.3', google)).toBe('impostor');
  });

  it('is asked of real name servers, of which one may fail or be silent', async () => {
    await using names = await startNameServer({
      '1.66.249.66.in-addr.arpa PTR': ['crawl.googlebot.com'],
      'crawl.googlebot.com A': ['66.249.66.1'],
      [`1${'.0'.repeat(23)}.0.6.8.4.1.0.0.2.ip6.arpa PTR`]: ['six.googlebot.com'],
      'six.googlebot.com AAAA': ['2001:4860:0000:0000:0000:0000:0000:0001'],
      '2.66.249.66.in-addr.arpa PTR': ['lies.googlebot.com'],
      'lies.googlebot.com A': ['66.249.66.1'],
      '3.66.249.66.in-addr.arpa PTR': ['half.googlebot.com'],
      'half.googlebot.com A': 'broken',
      '4.66.249.66.in-addr.arpa PTR': 'silent',
      '5.66.249.66.in-addr.arpa PTR': 'broken',
    });
    const resolver = nameServers([names.address]);
    const bots = new VerifiedBots({ resolver, now: () => performance.now(), timeoutMs: 1500 });
    const ends = [1, 2, 3, 4, 5].map((end) => `66.249.66.${end}`);
    const said = Promise.all([...ends, '2001:4860::1'].map(async (ip) => bots.check(ip, google)));
    expect(await said).toEqual(['verified', 'impostor', 'unproven', 'unproven', 'unproven', 'verified']);
    expect(await bots.check('66.249.66.9', google)).toBe('impostor');
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

  it('is proven though others before it have name servers that never answer', async () => {
    const silent = () => new Promise<string[]>(() => undefined);
    const reverse = (ip: string) =>
      ip.startsWith('203.') ? silent() : Promise.resolve(['crawl-66-249-66-1.googlebot.com']);
    const { bots } = start({ ...honest, reverse });
    const others = Array.from({ length: 32 }, (_, index) => bots.check(`203.0.113.${index}`, google));
    expect(bots.check('66.249.66.1', google)).toBe('unproven');
    for (const other of others) expect(await other).toBe('unproven');
    expect(await bots.check('66.249.66.1', google)).toBe('verified');
  });

  it('is asked of DNS once for a /64, which one client walks through at will', async () => {
    const { bots, asked } = start({});
    const checks = Array.from({ length: 100 }, (_, index) => bots.check(`2001:db8::${index}`, google));
    for (const check of checks) expect(await check).toBe('impostor');
    expect(asked).toHaveLength(1);
  });

  it('is proven for its own address alone, whoever else has one of its /64', async () => {
    const six = Array.from({ length: 4 }, (_, index) => `2001:4860::${index + 1}`);
    const reverse = Object.fromEntries(six.slice(0, 3).map((ip) => [ip, ['a.googlebot.com']]));
    const { bots } = start({ reverse, forward: { 'a.googlebot.com': six.slice(0, 2) } });
    const said = ['verified', 'verified', 'impostor', 'impostor'];
    expect(await Promise.all(six.map(async (ip) => bots.check(ip, google)))).toEqual(said);
    expect(six.map((ip) => bots.check(ip, google))).toEqual(said);
  });

  it('is not remembered of more late answers than there is room for', async () => {
    const answer = Promise.withResolvers<string[]>();
    const resolver: BotResolver = { reverse: () => answer.promise, lookup: missing };
    const bots = new VerifiedBots({ resolver, now: () => 0, timeoutMs: 1, maxLate: 1 });
    const ips = ['203.0.113.1', '203.0.113.2'];
    for (const ip of ips) expect(await bots.check(ip, google)).toBe('unproven');
    answer.resolve(['host.example']);
    await vi.waitFor(() => expect(bots.check('203.0.113.1', google)).toBe('impostor'));
    expect(bots.check('203.0.113.2', google)).toBe('unproven');
  });

  it('costs a bounded number of look-ups, whoever claims to be one', async () => {
    const { bots } = start({ reverse: () => new Promise<string[]>(() => undefined) });
    const checks = Array.from({ length: 100 }, (_, index) => bots.check(`203.0.113.${index}`, google));
    expect(checks.filter((check) => check instanceof Promise)).toHaveLength(32);
    expect(checks.filter((check) => check === 'unproven')).toHaveLength(68);
    for (const check of checks) await check;
  });
});
