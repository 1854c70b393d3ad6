import { parseAddress } from '@portcullis/contract/access';
import { Site } from '@portcullis/contract/sites';
import { describe, expect, it } from 'vitest';
import { type ChallengeFacts, compileChallengePolicy, decideChallenge, judgeAutomation } from './index.ts';

const policy = (fields: object) =>
  compileChallengePolicy(
    Site.parse({
      id: 'shop',
      version: 1,
      created_at: '',
      updated_at: '',
      name: 'Shop',
      domains: ['*'],
      backend_url: 'http://127.0.0.1:1',
      ...fields,
    }),
  );
const browser = {
  userAgent:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  headers: {
    accept: 'text/html',
    'accept-language': 'en',
    'accept-encoding': 'gzip',
    'sec-fetch-mode': 'navigate',
  },
};
interface Client {
  userAgent: string;
  headers?: Record<string, string>;
}
const traits = ({ userAgent, headers = {} }: Client) => ({
  userAgent,
  httpVersion: '1.1',
  scheme: 'https' as const,
  header: (name: string) => headers[name],
});
const facts = (fields: Partial<ChallengeFacts> & { client?: Client } = {}): ChallengeFacts => ({
  method: 'GET',
  target: '/',
  address: parseAddress('192.0.2.7')!,
  traits: traits(fields.client ?? browser),
  bot: undefined,
  hasPass: () => false,
  ...fields,
});
const curl = { userAgent: 'curl/8.5.0', headers: { accept: '*/*' } };

describe('who is challenged', () => {
  it.each([
    ['nothing switched on', {}, undefined],
    ['bot protection', { bot_protection: { enabled: true } }, 'js'],
    [
      'bot protection by captcha',
      { bot_protection: { enabled: true, challenge_mode: 'captcha' } },
      'captcha',
    ],
    ['under attack', { security_level: 'under_attack' }, 'js'],
    [
      'under attack with captcha',
      { security_level: 'under_attack', bot_protection: { challenge_mode: 'captcha' } },
      'captcha',
    ],
    ['js_challenge', { protection_config: { js_challenge: { enabled: true } } }, 'js'],
    ['captcha_challenge', { protection_config: { captcha_challenge: { enabled: true } } }, 'captcha'],
    [
      'both, the stronger',
      { protection_config: { js_challenge: { enabled: true }, captcha_challenge: { enabled: true } } },
      'captcha',
    ],
    [
      'level off, whatever is switched on',
      {
        security_level: 'off',
        bot_protection: { enabled: true },
        protection_config: { js_challenge: { enabled: true } },
      },
      undefined,
    ],
  ])('%s', (_case, fields, kind) => {
    const decision = decideChallenge(policy(fields), facts());
    expect(decision?.kind).toBe(kind);
    if (kind) expect(decision?.action).toBe('challenge');
  });

  it('is recorded and let pass where the category only logs', () => {
    const shadow = policy({ protection_config: { js_challenge: { enabled: true, mode: 'log' } } });
    expect(decideChallenge(shadow, facts())).toMatchObject({ action: 'log', category: 'js_challenge' });
  });

  it.each([
    ['who has a pass', { hasPass: () => true }],
    ['a proven search engine', { bot: 'verified' }],
    ['an exempt path', { target: '/api/orders?x=1' }],
    ['the exempt path itself', { target: '/api' }],
    ['an exempt method', { method: 'OPTIONS' }],
    ['an exempt address', { address: parseAddress('198.51.100.9')! }],
    ['an exempt path with a slash in a name', { target: '/api/v4/projects/group%2fproject' }],
    ['an exempt path in letters of another script', { target: '/api/caf%c3%a9/%e0%a4%a8%e0%a4%ae' }],
    ['a path of the exempt ones with a dotted name', { target: '/api/notes..txt?next=/../x' }],
  ] as const)('is not %s', (_case, fields) => {
    const exempt = {
      exempt_paths: ['/api'],
      exempt_methods: ['OPTIONS'],
      exempt_addresses: ['198.51.100.0/24'],
    };
    const site = policy({ bot_protection: { enabled: true, ...exempt } });
    expect(decideChallenge(site, facts(fields))).toBeUndefined();
  });

  it.each([
    ['a path that only begins alike', { target: '/apiary' }],
    ['a path that an application may read as another', { target: '/api/..%2flogin' }],
    ['one that is decoded twice', { target: '/api/%252e%252e/login' }],
    ['one with dots in three bytes', { target: '/api/..%c0%aflogin' }],
    ['one with both dots in more bytes than they need', { target: '/api/%c0%ae%c0%ae/login' }],
    ['one with dots that some write in %u', { target: '/api/%u002e%u002e/login' }],
    ['one with wide dots', { target: '/api/%ef%bc%8e%ef%bc%8e/login' }],
    ['one with a NUL in what is climbed out of', { target: '/api/x/..%00/../../login' }],
    ['one with a NUL between its dots', { target: '/api/.%00./login' }],
    ['one with parameters between', { target: '/api/..;a=b/login' }],
    ['an impostor', { bot: 'impostor' }],
    ['a search engine that DNS could not prove', { bot: 'unproven' }],
    ['a pass that is too weak', { hasPass: (needed: string) => needed === 'js' }],
  ] as const)('is %s', (_case, fields) => {
    const site = policy({
      bot_protection: { enabled: true, challenge_mode: 'captcha', exempt_paths: ['/api'] },
    });
    expect(decideChallenge(site, facts(fields))?.action).toBe('challenge');
  });

  it('is the search engine too where the operator says so', () => {
    const site = policy({ bot_protection: { enabled: true, verified_bots_allowed: false } });
    expect(decideChallenge(site, facts({ bot: 'verified' }))?.action).toBe('challenge');
  });
});

describe('bot fight mode', () => {
  it.each([
    ['block', 'low', browser, undefined],
    ['block', 'high', browser, undefined],
    ['block', 'medium', curl, 'block'],
    ['block', 'low', curl, undefined],
    ['challenge', 'medium', curl, 'challenge'],
    ['log', 'medium', curl, 'log'],
    ['block', 'low', { userAgent: 'sqlmap/1.8' }, 'block'],
    ['block', 'low', { userAgent: browser.userAgent }, 'block'],
    ['block', 'medium', { userAgent: '' }, 'block'],
    [
      'block',
      'medium',
      { ...browser, userAgent: browser.userAgent.replace('Chrome', 'HeadlessChrome') },
      'block',
    ],
    [
      'block',
      'high',
      { ...browser, headers: { ...browser.headers, 'accept-language': undefined! } },
      'block',
    ],
  ] as const)('%s at %s does with %j: %s', (mode, sensitivity, client, action) => {
    const site = policy({ protection_config: { bot_fight_mode: { enabled: true, mode, sensitivity } } });
    expect(decideChallenge(site, facts({ client }))?.action).toBe(action);
  });

  it('holds a borrowed crawler name against its bearer', () => {
    const site = policy({ protection_config: { bot_fight_mode: { enabled: true } } });
    const decision = decideChallenge(site, facts({ bot: 'impostor' }));
    expect(decision).toMatchObject({ action: 'block', category: 'bot_fight_mode' });
    expect(decision?.message).toContain('search engine from a foreign address');
  });

  it('lets a pass outweigh looks where it challenges', () => {
    const site = policy({ protection_config: { bot_fight_mode: { enabled: true, mode: 'challenge' } } });
    expect(decideChallenge(site, facts({ client: curl, hasPass: () => true }))).toBeUndefined();
  });

  it('explains each sign', () => {
    expect(judgeAutomation(traits(curl))).toEqual({ score: 6, signs: ['is an HTTP library'] });
    expect(judgeAutomation(traits(browser)).score).toBe(0);
    const firefox = {
      ...browser,
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    };
    expect(judgeAutomation(traits(firefox)).score).toBe(0);
  });
});
