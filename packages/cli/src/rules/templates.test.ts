import {
  compileCustomRule,
  compilePolicy,
  type HeaderField,
  type InspectedRequest,
  inspect,
} from '@portcullis/engine';
import { type RuleTemplate, type TemplateExample, templates } from '@portcullis/service';
import { describe, expect, it } from 'vitest';

const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';

function requestOf({ method = 'GET', target, headers = {}, body, ip = '203.0.113.9' }: TemplateExample) {
  const fields = { host: 'shop.example.com', 'user-agent': browser, ...headers };
  return {
    method,
    target,
    httpVersion: '1.1',
    scheme: 'https',
    headers: Object.entries(fields) as HeaderField[],
    clientIp: ip,
    ...(body !== undefined && { body }),
  } satisfies InspectedRequest;
}

function decisionOf(
  { id, name, conditions, action, severity }: RuleTemplate,
  example: TemplateExample,
): string {
  const compiled = compileCustomRule({ id, name, conditions, action, severity });
  if (!compiled.ok) throw new Error(compiled.issues.map(({ message }) => message).join('; '));
  const policy = compilePolicy({ securityLevel: 'medium', categories: {}, customRules: [compiled.rule] });
  const verdict = inspect(policy, requestOf(example));
  return verdict.matches.some(({ ruleId }) => ruleId === id) ? action : 'pass';
}

describe.each(templates.map((template) => [template.id, template] as const))(
  'the template %s',
  (_id, template) => {
    it.each(template.fires.map((example) => [example]))('fires on %j', (example) => {
      expect(decisionOf(template, example)).toBe(template.action);
    });

    it.each(template.passes.map((example) => [example]))('leaves %j alone', (example) => {
      expect(decisionOf(template, example)).toBe('pass');
    });
  },
);

it('does not stop an ordinary visit with any template but the ones for sites that only publish or take JSON', () => {
  const visits: TemplateExample[] = [
    { target: '/' },
    { target: '/products/42?sort=price&page=2' },
    { target: '/search?q=caf%C3%A9+and+tea' },
    { target: '/assets/app-4f1c.js', headers: { referer: 'https://shop.example.com/' } },
    { target: '/login' },
    { target: '/images/photo.jpg', headers: { 'if-none-match': '"abc"' } },
  ];
  for (const template of templates) {
    for (const visit of visits)
      expect([template.id, decisionOf(template, visit)]).toEqual([template.id, 'pass']);
  }
});
