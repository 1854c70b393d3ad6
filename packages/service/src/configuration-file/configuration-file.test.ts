import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { startService, type TestService } from '../testing/index.ts';
import { anyDocument } from './testing/index.ts';

interface Installation {
  readonly service: TestService;
  readonly token: string;
}

async function install(): Promise<Installation> {
  const service = await startService();
  return { service, token: await service.signIn() };
}

async function exported({ service, token }: Installation): Promise<string> {
  const response = await fetch(`${service.base}/api/configuration/export`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(response.headers.get('content-type')).toBe('application/yaml; charset=utf-8');
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="portcullis-[\d-]+\.yaml"$/,
  );
  return response.text();
}

const importing = ({ service, token }: Installation, document: string, more: object = {}) =>
  service.call('POST', '/api/configuration/import', { document, ...more }, token);

const versionOf = ({ service }: Installation) => {
  const [directive] = service.service.controlPlane.current();
  return directive?.type === 'snapshot' ? directive.snapshot.version : 0;
};

/** What the gateways get, without what belongs to one installation. */
function inForce({ service }: Installation) {
  const [directive] = service.service.controlPlane.current();
  if (directive?.type !== 'snapshot') throw new Error('no snapshot');
  const { sites, general, security, addressLists } = directive.snapshot;
  const bare = <T extends object>(one: T) => {
    const { version: _v, created_at: _c, updated_at: _u, ...rest } = one as Record<string, unknown>;
    return rest;
  };
  return {
    general,
    security,
    sites: sites.map((site) => ({ ...bare(site), rules: site.rules.map(bare) })),
    addressLists: addressLists.map(bare),
  };
}

interface Lists {
  readonly address_lists: readonly object[];
}

/** The order of address lists decides nothing: one that was there before keeps its age, wherever a file names it. */
function withSortedLists<D extends Lists>(document: D): D {
  const keyOf = (list: object) => {
    const { name, description, action, enabled, entries, temporary } = list as Record<string, unknown>;
    return JSON.stringify([name, description, action, enabled, entries, temporary]);
  };
  const sorted = document.address_lists.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return { ...document, address_lists: sorted };
}

describe('the configuration as one file', () => {
  let here: Installation;
  let there: Installation;
  beforeAll(async () => {
    [here, there] = await Promise.all([install(), install()]);
  });
  afterAll(() => Promise.all([here.service.stop(), there.service.stop()]));

  it('comes out as it went in, whatever is in it, and is the same on another installation', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(anyDocument, async (document) => {
        const applied = await importing(here, stringify(document), { apply: true });
        expect(applied).toMatchObject({ status: 200, body: { applied: true } });
        const file = await exported(here);
        const written = JSON.parse(JSON.stringify(document));
        expect(withSortedLists(parse(file))).toMatchObject(withSortedLists(written));
        expect((await importing(here, file)).body).toMatchObject({ applied: false, changes: [], notes: [] });
        expect((await importing(there, file, { apply: true })).body.notes).toEqual([]);
        expect(parse(await exported(there))).toEqual(parse(file));
        expect(inForce(there)).toEqual(inForce(here));
      }),
      { numRuns: 6 },
    );
  });

  it('tells what a file would change, changes nothing by it, and then applies it as one version', async () => {
    await importing(here, 'portcullis: 1\nsites: []\naddress_lists: []\n', { apply: true });
    const file = `
portcullis: 1
sites:
  - name: Shop
    domains: [shop.example.com]
    backend_url: http://192.0.2.1:3000
    rulesets:
      - name: Custom rules
        own: true
        rules:
          - name: No curl
            conditions: { rules: [{ field: user_agent, operator: starts_with, value: curl/ }] }
`;
    const before = versionOf(here);
    const dry = (await importing(here, file)).body;
    expect(dry).toMatchObject({
      applied: false,
      version: before,
      changes: [
        {
          kind: 'site',
          name: 'Shop',
          change: 'created',
          before: null,
          after: { domains: ['shop.example.com'] },
        },
        { kind: 'ruleset', change: 'created' },
        { kind: 'rule', name: 'No curl', change: 'created' },
      ],
      notes: ['Left alone, for the file does not have them: address_lists, settings'],
    });
    expect(versionOf(here)).toBe(before);
    const options = { apply: true, base: before, reason: 'From the repository' };
    expect((await importing(here, file, options)).body).toMatchObject({ applied: true, version: before + 1 });
    const [newest] = (
      await here.service.call('GET', '/api/configuration/versions?limit=1', undefined, here.token)
    ).body;
    expect(newest).toMatchObject({
      version: before + 1,
      reason: 'From the repository',
      author: 'admin@example.com',
    });
    expect(await importing(here, file, { ...options, apply: true })).toMatchObject({
      status: 409,
      body: { code: 'version_conflict' },
    });
    const later = file.replace('name: Shop', 'name: Store').replace('value: curl/', 'value: wget/');
    const changed = (await importing(here, later, { apply: true })).body;
    expect(changed.changes).toMatchObject([
      { kind: 'site', change: 'updated', fields: ['name'] },
      { kind: 'rule', change: 'updated', fields: ['conditions'] },
    ]);
    const same = (await importing(here, later, { apply: true })).body;
    expect([same.changes, versionOf(here)]).toEqual([[], changed.version]);
  });

  it('refuses a bad file whole, with everything that is wrong and its line', async () => {
    const before = versionOf(here);
    const file = [
      'portcullis: 1',
      'sites:',
      '  - name: One',
      '    domains: [one.example.com, "not a name"]',
      '    backend_url: http://169.254.169.254',
      '    enabeld: true',
      '  - domains: [two.example.com]',
      '    backend_url: http://192.0.2.1',
      '    security_level: paranoid',
    ].join('\n');
    const { status, body } = await importing(here, file, { apply: true });
    expect([status, body.code]).toEqual([422, 'validation_failed']);
    expect(body.issues).toMatchObject([
      { path: 'sites.0.domains.1', line: 4 },
      { path: 'sites.0.enabeld', line: 6, message: expect.stringContaining('no such field') },
      { path: 'sites.1.name', line: 7 },
      { path: 'sites.1.security_level', line: 9 },
    ]);
    const meaning = [
      'portcullis: 1',
      'sites:',
      '  - { name: One, domains: [a.example.com], backend_url: "http://169.254.169.254" }',
      '  - { name: Two, domains: [b.example.com, a.example.com], backend_url: "http://192.0.2.1" }',
      'address_lists:',
      '  - { name: Bad, action: block, site: c.example.com }',
    ].join('\n');
    expect((await importing(here, meaning, { apply: true })).body.issues).toMatchObject([
      { path: 'sites.0.backend_url', line: 3 },
      { path: 'sites.1.domains.1', line: 4, message: 'The site "One" already has the domain a.example.com' },
      { path: 'address_lists.0.site', line: 6, message: 'There is no such site' },
    ]);
    const broken = 'portcullis: 1\nsites: [\nportcullis: 2\n  x: *y\n';
    expect((await importing(here, broken)).body.issues[0].line).toBeGreaterThan(1);
    const bomb = 'a: &a [x, x]\nb: &b [*a, *a]\nportcullis: 1\n';
    expect((await importing(here, bomb)).body.issues[0]).toMatchObject({ line: 2 });
    expect((await importing(here, '[')).status).toBe(422);
    expect((await importing(here, '['.repeat(100_000))).status).toBe(422);
    expect(versionOf(here)).toBe(before);
  });

  it('reads and writes a large file beside the main thread, with the lines of what is wrong', async () => {
    const entries = Array.from({ length: 3000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
    const list = { name: 'Many', action: 'block', entries };
    const file = { portcullis: 1, sites: [], address_lists: [list] };
    expect((await importing(here, stringify(file), { apply: true })).status).toBe(200);
    expect(
      parse(await exported(here))
        .address_lists[0].entries.trim()
        .split('\n'),
    ).toEqual(entries);
    const wrong = stringify({ ...file, address_lists: [{ ...list, entries: [...entries, 'nobody'] }] });
    const unknown = stringify({ ...file, address_lists: [{ ...list, site: 'site_none' }] });
    expect((await importing(here, wrong)).body.issues).toMatchObject([
      { path: 'address_lists.0.entries.3000', line: wrong.split('\n').length - 1 },
    ]);
    expect((await importing(here, unknown)).body.issues).toMatchObject([
      { path: 'address_lists.0.site', line: unknown.split('\n').length - 1 },
    ]);
  });

  it('leaves secrets out, or seals them with a passphrase that alone opens them', async () => {
    const channels = {
      email: {
        enabled: true,
        address: 'ops@example.com',
        senderEmail: 'gate@example.com',
        key: 'SG.secret-key',
      },
      slack: { webhookUrl: 'https://hooks.slack.com/services/T0/B0/secret' },
      webhook: { enabled: true, webhookUrl: 'https://hooks.slack.com/own', signingKey: 'SG.secret-signing' },
    };
    const call = ({ service, token }: Installation, method: string, path: string, body?: unknown) =>
      service.call(method, `/api/notifications/${path}`, body, token);
    expect((await call(here, 'PUT', 'settings', channels)).status).toBe(200);
    expect(await exported(here)).not.toMatch(/SG\.secret|hooks\.slack/);
    const passphrase = 'correct horse battery';
    const sealedAs = (asked: string) =>
      fetch(`${here.service.base}/api/configuration/export`, {
        method: 'POST',
        headers: { authorization: `Bearer ${here.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ passphrase: asked }),
      });
    expect((await sealedAs('short')).status).toBe(422);
    const file = await (await sealedAs(passphrase)).text();
    expect(file).not.toMatch(/SG\.secret|hooks\.slack|battery/);
    expect(await importing(there, file, { passphrase: 'another horse battery' })).toMatchObject({
      status: 422,
      body: { issues: [{ path: 'passphrase' }] },
    });
    const without = (await importing(there, file, { apply: true })).body;
    expect(without.notes).toContainEqual(expect.stringContaining('no passphrase was given'));
    expect((await call(there, 'GET', 'settings')).body.email.keySet).toBe(false);
    const opened = (await importing(there, file, { apply: true, passphrase })).body;
    expect(opened.changes).toMatchObject([{ kind: 'settings', id: 'notifications' }]);
    expect(JSON.stringify(opened)).not.toMatch(/SG\.secret|hooks\.slack/);
    const { email, slack, webhook } = (await call(there, 'GET', 'settings')).body;
    expect([email.keySet, slack.webhookUrlSet, email.key]).toEqual([true, true, '']);
    expect(webhook).toMatchObject({ enabled: true, webhookUrlSet: true, signingKeySet: true });
    const history = await there.service.call('GET', '/api/configuration/versions/2', undefined, there.token);
    expect(JSON.stringify(history.body)).not.toMatch(/SG\.secret|hooks\.slack/);

    const other = { email: { ...channels.email, key: 'SG.other' } };
    expect((await call(there, 'PUT', 'settings', other)).status).toBe(200);
    const asFile = async (header: string, guard = '') => {
      const answer = await fetch(`${there.service.base}/api/configuration/import/file?apply=true${guard}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${there.token}`,
          'content-type': 'application/yaml',
          'portcullis-passphrase': header,
        },
        // More than a call of JSON may have.
        body: `${file}\n# ${'x'.repeat(5 * 1024 * 1024)}\n`,
      });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    const undecodable = { status: 422, body: { issues: [{ path: 'headers.portcullis-passphrase' }] } };
    expect(await asFile('%E0%A4%A')).toMatchObject(undecodable);
    expect(await asFile('another%20horse%20battery')).toMatchObject({ status: 422 });
    const unguarded = { status: 422, body: { issues: [{ path: 'query.base' }] } };
    expect(await asFile(encodeURIComponent(passphrase), '&base=')).toMatchObject(unguarded);
    const whole = await asFile(encodeURIComponent(passphrase));
    expect(whole).toMatchObject({ status: 200, body: { changes: [{ id: 'notifications' }] } });
    expect((await call(there, 'GET', 'settings')).body.email.keySet).toBe(true);
    expect(there.service.logged.join()).not.toMatch(/battery|SG\.secret/);
  });

  it('has its rules asked in its order, where that alone is changed too, and a restore brings the old order back', async () => {
    const ruled = (...names: string[]) => `
portcullis: 1
sites:
  - name: Ordered
    domains: [ordered.example.com]
    backend_url: http://192.0.2.1:3000
    rulesets:
      - name: Custom rules
        own: true
        rules: [${names
          .map(
            (name) =>
              `{ name: ${name}, conditions: { rules: [{ field: path, operator: equals, value: /${name} }] } }`,
          )
          .join(', ')}]
`;
    const asked = () => inForce(here).sites[0]?.rules.map((rule) => (rule as { name?: string }).name);
    await importing(here, ruled('a', 'b', 'c'), { apply: true });
    const first = versionOf(here);
    const [moved] = (await importing(here, ruled('b', 'c', 'a'))).body.changes;
    expect(moved).toMatchObject({ kind: 'rule', name: 'a', change: 'updated', fields: ['order'] });
    expect(moved.before.order).not.toBe(moved.after.order);
    for (const order of [
      ['b', 'c', 'a'],
      ['new', 'b', 'c', 'a'],
      ['c', 'new', 'a', 'b'],
    ]) {
      expect((await importing(here, ruled(...order), { apply: true })).body.applied).toBe(true);
      expect(asked()).toEqual(order);
      const file = parse(await exported(here));
      expect(file.sites[0].rulesets[0].rules.map(({ name }: { name: string }) => name)).toEqual(order);
      expect((await importing(here, ruled(...order))).body.changes).toEqual([]);
    }
    const path = `/api/configuration/versions/${first}/restore`;
    expect((await here.service.call('POST', path, undefined, here.token)).status).toBe(200);
    expect(asked()).toEqual(['a', 'b', 'c']);
  });

  it('is refused to who may not change all of it', async () => {
    const operator = { email: 'op@example.com', role: 'operator', password: 'Correct-horse-7!' };
    await here.service.call('POST', '/api/users', operator, here.token);
    const token = await here.service.signIn(operator.email);
    const asked = { document: 'portcullis: 1\n' };
    const refused = await here.service.call('POST', '/api/configuration/import', asked, token);
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
  });

  it('refuses a file that grows without end when it is read, at once', async () => {
    const laughs = Array.from(
      { length: 30 },
      (_, level) =>
        `a${level}: &a${level} [${level === 0 ? 'ha' : `*a${level - 1}, *a${level - 1}, *a${level - 1}`}]`,
    );
    for (const bomb of [
      `portcullis: 1\n${laughs.join('\n')}\nsites: *a29\n`,
      `portcullis: 1\nsites: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`,
      `portcullis: 1\nsites: &s [*s]\n`,
      `portcullis: 1\nsettings: { general: { <<: { systemName: x }, __proto__: { role: admin } } }\n`,
    ]) {
      const before = versionOf(here);
      const refused = await importing(here, bomb, { apply: true });
      expect([400, 422]).toContain(refused.status);
      expect(versionOf(here)).toBe(before);
    }
    // The service goes on.
    expect((await here.service.call('GET', '/api/auth/me', undefined, here.token)).status).toBe(200);
  });
});
