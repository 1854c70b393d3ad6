import { SitePages } from '@portcullis/contract/sites';
import { describe, expect, test } from 'vitest';
import { ask, startGateway } from '../testing/index.ts';
import { previewPage } from './preview.ts';

describe('pages of the gateway', () => {
  test.each([
    ['html', undefined, 'text/html'],
    ['html', '*/*', 'text/html'],
    ['html', 'text/html,application/json', 'text/html'],
    ['html', 'application/json', 'application/json'],
    ['html', 'application/problem+json', 'application/json'],
    ['json', 'text/html', 'application/json'],
  ] as const)('response mode %s and Accept %s give %s', async (response_mode, accept, type) => {
    await using gateway = await startGateway({ sites: [{ response_mode }] });
    const answer = await ask(gateway.port, '/', { headers: accept === undefined ? {} : { Accept: accept } });
    expect(answer.status).toBe(502);
    expect(answer.headers['content-type']).toContain(type);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  });

  test("an operator's own wording is shown as text, never as markup", async () => {
    const pages = {
      error: { title: 'Oh <b>no</b>', message: 'First "part".\n\n<script>alert(1)</script>' },
      contact: 'javascript:alert(1)',
    };
    await using gateway = await startGateway({ sites: [{ pages }] });
    const { body } = await ask(gateway.port, '/');
    expect(body).toContain('<h1>Oh &lt;b&gt;no&lt;/b&gt;</h1>');
    expect(body).toContain('<p>First &quot;part&quot;.</p>\n<p>&lt;script&gt;');
    expect(body).not.toMatch(/<script|href/);
    const json = JSON.parse((await ask(gateway.port, '/', { headers: { Accept: 'application/json' } })).body);
    expect(json.message).toBe('First "part".\n\n<script>alert(1)</script>');
  });

  test('a contact that a browser can follow is a link', async () => {
    await using gateway = await startGateway({ sites: [{ pages: { contact: 'help@example.com' } }] });
    expect((await ask(gateway.port, '/')).body).toContain('href="mailto:help@example.com"');
  });

  test('HEAD gets the head of the page alone', async () => {
    await using gateway = await startGateway({ sites: [{}] });
    const answer = await ask(gateway.port, '/', { method: 'HEAD' });
    expect(answer).toMatchObject({ status: 502, body: '' });
    expect(Number(answer.headers['content-length'])).toBeGreaterThan(500);
  });

  test('a preview is the page that visitors get', async () => {
    const pages = SitePages.parse({ error: { title: 'Back <soon>', message: 'One.\n\nTwo.' } });
    await using gateway = await startGateway({ sites: [{ pages }] });
    const { body } = await ask(gateway.port, '/', { headers: { Accept: 'text/html' } });
    const alike = (html: string) => html.replace(/<dl>[\s\S]*<\/dl>/, '');
    expect(alike(previewPage('error', pages, '2026-11-21T12:00:00.000Z'))).toBe(alike(body));
    expect(body).toContain('Back &lt;soon&gt;');
  });
});
