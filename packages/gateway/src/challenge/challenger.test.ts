import { randomBytes } from 'node:crypto';
import { parseAddress } from '@portcullis/contract/access';
import { describe, expect, it } from 'vitest';
import { type Ask, Challenger, KeyRing, type Visitor } from './index.ts';
import { searchNonce } from './solver.ts';

const noon = Date.UTC(2026, 0, 1, 12);
const secret = () => randomBytes(32).toString('base64');
const visitor = (fields: { siteId?: string; ip?: string; userAgent?: string } = {}): Visitor => ({
  siteId: fields.siteId ?? 'shop',
  address: parseAddress(fields.ip ?? '192.0.2.7')!,
  userAgent: fields.userAgent ?? 'Mozilla/5.0',
});
const ask = (fields: Partial<Ask> = {}): Ask => ({
  kind: 'js',
  difficulty: 'low',
  wantsPage: true,
  texts: undefined,
  reference: 'ref-1',
  method: 'GET',
  target: '/cart?x=1',
  ...fields,
});
const submit = {
  texts: undefined,
  reference: 'ref-2',
  difficulty: 'low',
  wantsPage: true,
  seconds: 300,
} as const;

function start(ring = new KeyRing([{ id: 'a', secret: secret() }])) {
  const clock = { now: noon };
  return { clock, ring, challenger: new Challenger({ ring: () => ring, now: () => clock.now }) };
}
const dataOf = (body: string, name: string) => new RegExp(`data-${name}="([^"]*)"`).exec(body)?.[1] ?? '';
const headerOf = (headers: readonly string[], name: string) => headers[headers.indexOf(name) + 1];

/** What a browser does with the page. */
function solve(body: string): URLSearchParams {
  const nonces: number[] = [];
  for (let piece = 0; piece < Number(dataOf(body, 'pieces')); piece++) {
    nonces.push(searchNonce(`${dataOf(body, 'salt')}.${piece}.`, Number(dataOf(body, 'bits')), 0, 1e9));
  }
  return new URLSearchParams({ token: dataOf(body, 'token'), nonces: nonces.join(',') });
}

async function passOf(challenger: Challenger, who = visitor()): Promise<string> {
  const { reply } = await challenger.answer(who, solve(challenger.present(who, ask()).body), {
    ...submit,
    secure: false,
  });
  return headerOf(reply.headers, 'Set-Cookie')!.split(';')[0]!;
}

describe('a proof of work', () => {
  it('earns a pass that no script can read', async () => {
    const { challenger } = start();
    const answered = await challenger.answer(visitor(), solve(challenger.present(visitor(), ask()).body), {
      ...submit,
      secure: true,
    });
    expect(answered).toMatchObject({ passed: true, reply: { status: 200 } });
    const cookie = headerOf(answered.reply.headers, 'Set-Cookie');
    expect(cookie).toMatch(/^portcullis_pass=js\..+; Path=\/; Max-Age=300; HttpOnly; SameSite=Lax; Secure$/);
    expect(challenger.hasPass(visitor(), `a=b; ${cookie?.split(';')[0]}; c=d`, 'js')).toBe(true);
  });

  it.each([
    ['another site', { siteId: 'blog' }],
    ['another network', { ip: '192.0.3.7' }],
    ['another browser', { userAgent: 'curl' }],
  ])('is worth nothing to %s, solved or passed on', async (_case, other) => {
    const { challenger } = start();
    expect(challenger.hasPass(visitor(other), await passOf(challenger), 'js')).toBe(false);
    const form = solve(challenger.present(visitor(), ask()).body);
    expect((await challenger.answer(visitor(other), form, { ...submit, secure: false })).reason).toBe(
      'forged',
    );
  });

  it('holds within the same network, for its time, and not for a captcha', async () => {
    const { challenger, clock } = start();
    const pass = await passOf(challenger);
    expect(challenger.hasPass(visitor({ ip: '192.0.2.200' }), pass, 'js')).toBe(true);
    expect(challenger.hasPass(visitor(), pass, 'captcha')).toBe(false);
    clock.now += 299_000;
    expect(challenger.hasPass(visitor(), pass, 'js')).toBe(true);
    clock.now += 1000;
    expect(challenger.hasPass(visitor(), pass, 'js')).toBe(false);
  });

  it('counts with every worker that has the key, also the one before the newest', async () => {
    const [a, b] = [
      { id: 'a', secret: secret() },
      { id: 'b', secret: secret() },
    ];
    const pass = await passOf(start(new KeyRing([a])).challenger);
    expect(start(new KeyRing([b, a])).challenger.hasPass(visitor(), pass, 'js')).toBe(true);
    expect(start(new KeyRing([b])).challenger.hasPass(visitor(), pass, 'js')).toBe(false);
    expect(start(new KeyRing([{ ...b, id: 'a' }])).challenger.hasPass(visitor(), pass, 'js')).toBe(false);
  });

  it('is good once, in time, and only when solved', async () => {
    const { challenger, clock } = start();
    const form = solve(challenger.present(visitor(), ask()).body);
    const send = (sent: URLSearchParams) => challenger.answer(visitor(), sent, { ...submit, secure: false });
    const wrong = new URLSearchParams(form);
    wrong.set('nonces', Array(10).fill('1').join());
    expect((await send(wrong)).reason).toBe('wrong');
    expect((await send(form)).passed).toBe(true);
    expect(await send(form)).toMatchObject({ passed: false, reason: 'used before', reply: { status: 403 } });
    const late = solve(challenger.present(visitor(), ask()).body);
    clock.now += 301_000;
    expect((await send(late)).reason).toBe('expired');
    const easier = new URLSearchParams(late);
    easier.set('token', late.get('token')!.replace(/~\d+~/, '~1~'));
    expect((await send(easier)).reason).toBe('forged');
    expect((await send(new URLSearchParams('token=x&nonces=1'))).reason).toBe('malformed');
  });

  it('lets nobody make a pass by hand', async () => {
    const { challenger } = start();
    const pass = await passOf(challenger);
    const [name, value = ''] = pass.split('=');
    for (const forged of [
      value.replace(/^js/, 'captcha'),
      value.replace(/\.[^.]+\./, '.zzzzzz.'),
      value.slice(0, -1),
      `js.zzzzzz.own.${'A'.repeat(43)}`,
      '',
    ]) {
      expect(challenger.hasPass(visitor(), `${name}=${forged}`, 'js')).toBe(false);
    }
    expect(challenger.hasPass(visitor(), `${name}=old; ${pass}`, 'js')).toBe(true);
    expect(challenger.hasPass(visitor(), `x${pass}`, 'js')).toBe(false);
    expect(challenger.hasPass(visitor(), undefined, 'js')).toBe(false);
  });
});

describe('a challenge page', () => {
  it('runs no script but its own, fetches nothing, and says what happens', () => {
    const reply = start().challenger.present(visitor(), ask());
    const policy = headerOf(reply.headers, 'Content-Security-Policy')!;
    const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1];
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(reply.body.match(/<(?:script|style)[^>]*>/g)).toEqual([
      `<style nonce="${nonce}">`,
      `<script nonce="${nonce}">`,
    ]);
    expect(reply.body).not.toMatch(/https?:\/\/|src="(?!data:)/);
    expect(reply.body).toContain('role="status" aria-live="polite"');
    expect(reply.body).toContain('<noscript>');
    expect(reply.status).toBe(403);
  });

  it('tells a program why in words that it can read', () => {
    const reply = start().challenger.present(visitor(), ask({ wantsPage: false, kind: 'captcha' }));
    expect(reply.status).toBe(403);
    expect(JSON.parse(reply.body)).toMatchObject({
      code: 'challenge_required',
      challenge: 'captcha',
      requestId: 'ref-1',
    });
  });

  it("carries the operator's words as text", () => {
    const challenge = { title: 'Bots <out>', message: 'A & B' };
    const none = { title: '', message: '' };
    const texts = { challenge, block: none, error: none, maintenance: none, contact: '' };
    expect(start().challenger.present(visitor(), ask({ texts })).body).toContain(
      '<h1>Bots &lt;out&gt;</h1><p>A &amp; B</p>',
    );
  });
});

describe('a captcha', () => {
  const present = (challenger: Challenger, target = '/cart?x=1') =>
    challenger.present(visitor(), ask({ kind: 'captcha', target })).body;
  const field = (body: string, name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? '';

  it('draws its own picture and remembers where the visitor was going', () => {
    const body = present(start().challenger);
    const png = Buffer.from(/base64,([^"]+)"/.exec(body)?.[1] ?? '', 'base64');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(png.readUInt32BE(16)).toBe(260);
    expect(field(body, 'return')).toBe('/cart?x=1');
  });

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/a\r\nSet-Cookie: x=1', ''])(
    'never sends anyone to %j',
    (target) => expect(field(present(start().challenger, target), 'return')).toBe('/'),
  );

  it('takes one guess a picture and offers the next', async () => {
    const { challenger } = start();
    const token = field(present(challenger), 'token');
    const form = new URLSearchParams({ token, answer: 'WRONG', return: '/cart' });
    const first = await challenger.answer(visitor(), form, { ...submit, secure: false });
    expect(first).toMatchObject({ passed: false, reason: 'wrong', reply: { status: 403 } });
    expect(first.reply.body).toContain('role="alert"');
    expect(field(first.reply.body, 'return')).toBe('/cart');
    expect((await challenger.answer(visitor(), form, { ...submit, secure: false })).reason).toBe(
      'used before',
    );
  });

  it('takes one guess on all gateways together, and by itself where the others cannot be asked', async () => {
    const ring = new KeyRing([{ id: 'a', secret: secret() }]);
    const claimed = new Set<string>();
    const claim = async (token: string) => claimed.size < claimed.add(token).size;
    const gateways = [claim, claim, async () => undefined].map(
      (asked) => new Challenger({ ring: () => ring, now: () => noon, claim: asked }),
    );
    const form = new URLSearchParams({ token: field(present(gateways[0]!), 'token'), answer: 'WRONG' });
    const reasons: (string | undefined)[] = [];
    for (const challenger of gateways) {
      reasons.push((await challenger.answer(visitor(), form, { ...submit, secure: false })).reason);
    }
    expect(reasons).toEqual(['wrong', 'used before', 'wrong']);
    expect(claimed.size).toBe(1);
    const made = new URLSearchParams({ token: 'A'.repeat(22), answer: 'WRONG' });
    await gateways[0]!.answer(visitor(), made, { ...submit, secure: false });
    expect(claimed.size).toBe(1);
  });

  it('has a way for who cannot see: a longer computation, worth the same', () => {
    const { challenger } = start();
    const body = present(challenger);
    expect(dataOf(body, 'bits')).toBe('18');
    expect(body).toContain('<button id="start" type="button">Check my browser instead</button>');
  });
});
