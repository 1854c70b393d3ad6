import { type Endpoint, endpoints, errorCodes } from '@portcullis/contract/api';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../testing/index.ts';

const calls = Object.entries(endpoints).flatMap(([noun, byName]) =>
  Object.entries(byName as Record<string, Endpoint>).map(([name, call]) => ({ id: `${noun}.${name}`, call })),
);

describe('the API reference', () => {
  let service: TestService;
  let document: ReturnType<typeof JSON.parse>;
  let page: string;
  const fetched = async (path: string) => {
    const response = await fetch(service.base + path);
    return { response, text: await response.text() };
  };
  beforeAll(async () => {
    service = await startService();
    document = JSON.parse((await fetched('/api/openapi.json')).text);
    page = (await fetched('/api/docs')).text;
  });
  afterAll(() => service.stop());

  it('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator();
    const result = await validator.validate(document);
    expect(result.errors).toBeUndefined();
    expect([result.valid, validator.version]).toEqual([true, '3.1']);
  });

  it('describes every call once, with who may make it and what it refuses with', () => {
    const described = Object.values(document.paths).flatMap((methods) => Object.values(methods as object));
    const ids = described.map(({ operationId }) => operationId);
    expect(ids.toSorted()).toEqual(
      [...calls.map(({ id }) => id), 'streams.log', 'streams.system'].toSorted(),
    );
    for (const { id, call } of calls) {
      const operation = document.paths[call.path][call.method.toLowerCase()];
      expect(operation).toMatchObject({ operationId: id, summary: call.summary });
      expect(operation.security).toEqual(call.access === 'public' ? [] : [{ bearer: [] }]);
      expect(operation.responses.default.content['application/json'].schema.$ref).toContain('Error');
    }
  });

  it('refers to nothing that it does not hold, and names what the contract names', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to);
    expect(references.length).toBeGreaterThan(50);
    for (const to of new Set(references)) {
      expect(to).toMatch(/^#\/components\/schemas\/\w+$/);
      expect(document.components.schemas).toHaveProperty(String(to?.split('/').at(-1)));
    }
    const { Site, SiteCreate } = document.components.schemas;
    expect(Site.required).toContain('security_level');
    expect(SiteCreate ?? document.components.schemas.SiteCreateInput).toMatchObject({
      required: ['name', 'domains', 'backend_url'],
    });
  });

  it('says where a secret comes back blank, and that a rule needs a condition', () => {
    const settings = document.components.schemas.NotificationSettingsAnswer.properties;
    const { key, keySet } = settings.email.properties;
    const { webhookUrl } = settings.slack.properties;
    for (const secret of [key, webhookUrl]) expect(secret.description).toContain('blank in answers');
    expect(keySet.description).toContain('deletes it');
    const { Conditions, ConditionsInput = Conditions } = document.components.schemas;
    expect(ConditionsInput.properties.rules.description).toContain('without conditions is refused');
    for (const said of ['blank in answers', 'without conditions is refused']) expect(page).toContain(said);
  });

  it('is a page for people with every call, error and schema, each link leading somewhere', () => {
    for (const { id } of calls) expect(page).toContain(`<article id="${id}">`);
    for (const code of errorCodes) expect(page).toContain(`<code>${code}</code>`);
    const anchors = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.length).toBeGreaterThan(calls.length);
    for (const link of links) expect(anchors).toContain(link);
    expect(page).not.toContain('[object Object]');
    const bodies = calls.filter(({ call }) => call.body ?? call.accepts).length;
    expect(page.match(/<summary>Example of the body/g)).toHaveLength(bodies);
    const answers = calls.filter(({ call }) => call.response && !call.produces).length;
    expect(page.match(/<summary>Example of answer/g)).toHaveLength(answers);
  });

  it('needs nothing from elsewhere and runs no script, and says so to the browser', async () => {
    const { response } = await fetched('/api/docs');
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'; style-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(page).not.toMatch(/<script|style="|(?:src|href|action|content)="(?:https?:)?\/\//);
    const style = await fetched('/api/docs/style.css');
    expect(style.response.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(style.text).toContain('color-scheme: light dark');
    expect(style.text).not.toMatch(/url\(|@import/);
  });
});
