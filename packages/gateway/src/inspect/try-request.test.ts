import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { GatewaySite, type TrialTask } from '@portcullis/contract/link';
import { RuleTestOutcome, TriedRequest } from '@portcullis/contract/protection';
import { describe, expect, it } from 'vitest';
import { trialWorker } from './trial-thread.ts';
import { createRequestTrial } from './try-request.ts';

const tryRequest = createRequestTrial();
const now = Date.parse('2026-11-21T12:00:00Z');
const site = (fields: object = {}) =>
  GatewaySite.parse({
    id: 'shop',
    name: 'Shop',
    domains: ['shop.example.com'],
    backend_url: 'http://127.0.0.1:3000',
    version: 1,
    created_at: '',
    updated_at: '',
    ...fields,
  });
const tried = (fields: object) => TriedRequest.parse({ target: '/', ...fields });
const attack = "/?id=1'+UNION+SELECT+password+FROM+users--";

describe('a request that is tried', () => {
  it('shows what blocks it: the match, its score, and the texts that were looked at', () => {
    const outcome = tryRequest(site(), tried({ target: attack }), now);
    expect(RuleTestOutcome.parse(outcome)).toEqual(outcome);
    expect(outcome).toMatchObject({ decision: 'block', category: 'sql_injection' });
    expect(outcome.message).toMatch(/^SQL injection blocked in query parameter id: [a-zA-Z]/);
    expect(outcome.scores['sql_injection']).toBeGreaterThan(0);
    expect(outcome.reached).toEqual({
      score: outcome.scores['sql_injection'],
      threshold: 5,
      sensitivity: 'medium',
    });
    const looked = outcome.evaluations.find(({ target }) => target === 'query:id');
    expect(looked?.matched.length).toBeGreaterThan(0);
    expect(looked?.evaluated).toEqual(expect.arrayContaining(looked?.matched ?? []));
  });

  it('passes where nothing is held against it', () => {
    const outcome = tryRequest(site(), tried({ target: '/search?q=shoes' }), now);
    expect(outcome).toMatchObject({ decision: 'pass', matches: [], score: 0 });
    expect(outcome.valueCount).toBeGreaterThan(0);
  });

  it('is read as bytes on the wire, so that an umlaut in the body is two of them', () => {
    const rule = {
      id: 'rule_1',
      siteId: 'shop',
      name: 'Umlaut',
      conditions: { rules: [{ field: 'body', operator: 'contains', value: 'grün' }] },
    };
    const request = tried({
      method: 'POST',
      headers: [{ name: 'Content-Type', value: 'text/plain' }],
      body: 'grün',
    });
    expect(tryRequest(site({ rules: [rule] }), request, now)).toMatchObject({
      decision: 'block',
      ruleId: 'rule_1',
    });
  });

  it('meets a rule about one header by that header alone', () => {
    const rule = {
      id: 'rule_1',
      siteId: 'shop',
      name: 'Key',
      conditions: { rules: [{ field: 'header', name: 'X-Api-Key', operator: 'equals', value: 'secret' }] },
    };
    const decisionFor = (name: string) =>
      tryRequest(site({ rules: [rule] }), tried({ headers: [{ name, value: 'secret' }] }), now).decision;
    expect([decisionFor('x-api-key'), decisionFor('x-other')]).toEqual(['block', 'pass']);
  });

  it('is allowed by a rule on a site that is only watched as on any other', () => {
    const conditions = { rules: [{ field: 'path', operator: 'equals', value: '/' }] };
    const rule = { id: 'rule_1', siteId: 'shop', name: 'Partner', action: 'allow', conditions };
    const outcome = tryRequest(site({ rules: [rule], watch_only: true }), tried({ target: attack }), now);
    expect(outcome).toMatchObject({ decision: 'allow', message: 'Allowed: Partner in path' });
  });

  it('says so where the site inspects nothing', () => {
    const outcome = tryRequest(site({ security_level: 'off' }), tried({ target: attack }), now);
    expect(outcome).toMatchObject({ decision: 'pass', message: 'Nothing is inspected on this site' });
  });

  it('keeps to the exceptions that hold at the time', () => {
    const exceptions = [{ category: 'sql_injection', expires_at: '2026-11-21T13:00:00.000Z' }];
    const passed = tryRequest(site({ exceptions }), tried({ target: attack }), now);
    expect(passed.decision).toBe('pass');
    expect(tryRequest(site({ exceptions }), tried({ target: attack }), now + 7_200_000).decision).toBe(
      'block',
    );
  });

  it('is tried in a thread as well, which outlives a rule that cannot be compiled', async () => {
    const worker = new Worker(trialWorker);
    const ask = async (task: TrialTask) => {
      worker.postMessage(task);
      return (await once(worker, 'message'))[0];
    };
    const request = tried({ target: attack });
    const conditions = { rules: [{ field: 'path', operator: 'regex', value: '(' }] };
    const broken = { id: 'rule_1', name: 'Broken', enabled: true, status: 'active', conditions };
    const unfit = { ...site(), rules: [broken] } as unknown as GatewaySite;
    expect(await ask({ site: unfit, request, nowMs: now })).toEqual({
      problem: expect.stringContaining("Rule 'Broken'"),
    });
    expect(await ask({ site: site(), request, nowMs: now })).toMatchObject({
      outcome: { decision: 'block' },
    });
    await worker.terminate();
  });
});
