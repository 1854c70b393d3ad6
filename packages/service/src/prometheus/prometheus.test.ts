import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDialects } from '../storage/testing/index.ts';
import { batch, counters, startService, type TestService } from '../testing/index.ts';

const sample = /^[a-z_]+(\{[a-z_]+="(?:[^"\\\n]|\\["\\n])*"(,[a-z_]+="(?:[^"\\\n]|\\["\\n])*")*\})? \S+$/;

/** Reads the text format strictly, as a scraper does. @returns values by series */
function scrape(text: string): Map<string, number> {
  const series = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('# ')) continue;
    if (!sample.test(line)) throw new Error(`No sample: ${line}`);
    const at = line.lastIndexOf(' ');
    series.set(line.slice(0, at), Number(line.slice(at + 1)));
  }
  return series;
}

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`GET /metrics on ${dialect.name}${why}`, () => {
    let service: TestService;
    let session: string;
    let siteId: string;
    const scrapeAs = (token?: string) =>
      fetch(`${service.base}/metrics`, token ? { headers: { authorization: `Bearer ${token}` } } : {});
    const tokenFor = async (permission: string) => {
      const wanted = { name: permission, permissions: [permission] };
      return (await service.call('POST', '/api/auth/api-tokens', wanted, session)).body.secret;
    };

    beforeAll(async () => {
      service = await startService({ databaseUrl: await dialect.databaseUrl() });
      session = await service.signIn();
      const site = { name: 'The "Shop"\\', domains: ['shop.example'], backend_url: 'http://192.0.2.1:80' };
      siteId = (await service.call('POST', '/api/sites', site, session)).body.id;
      const latency = [1, 0, 2, ...Array.from({ length: 10 }, () => 0), 1];
      const counted = counters({
        requests: 4,
        blocked: 1,
        challenged: 1,
        statuses: [0, 2, 0, 1, 1],
        bytesOut: 500,
        durationMs: 12_000,
        latency,
      });
      const plane = service.service.controlPlane;
      await plane.accept(
        batch({ counters: [{ ...counted, siteId }, { ...counted, siteId: 'gone' }, counted] }),
      );
      plane.acceptReport({
        gatewayId: 'host-0',
        productVersion: '1',
        startedAt: new Date().toISOString(),
        activeConnections: 7,
        requests: 0,
        intervalMs: 1000,
        perSite: [],
        upstreams: [{ siteId, url: 'http://192.0.2.1', healthy: false, checksPassed: 0, checksFailed: 3 }],
        spoolBytes: 0,
        memoryBytes: 1,
        cpuPercent: 0.5,
      });
    });
    afterAll(async () => {
      await service.stop();
      await dialect.stop();
    });

    it('is refused to strangers, and to tokens that are for something else', async () => {
      expect((await scrapeAs()).status).toBe(401);
      expect((await scrapeAs('pct_made-up')).status).toBe(401);
      expect((await scrapeAs(await tokenFor('site:view'))).status).toBe(403);
    });

    it('gives a token for metrics the figures of gateways, upstreams, sites and the service', async () => {
      const answer = await scrapeAs(await tokenFor('metrics:view'));
      expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
      const series = scrape(await answer.text());
      const site = `site="${siteId}"`;
      const expected = {
        [`portcullis_requests_total{${site}}`]: 4,
        'portcullis_requests_total{site=""}': 4,
        [`portcullis_blocked_total{${site}}`]: 1,
        [`portcullis_challenged_total{${site}}`]: 1,
        [`portcullis_responses_total{${site},class="5xx"}`]: 1,
        [`portcullis_sent_bytes_total{${site}}`]: 500,
        [`portcullis_request_duration_seconds_bucket{${site},le="0.001"}`]: 1,
        [`portcullis_request_duration_seconds_bucket{${site},le="0.005"}`]: 3,
        [`portcullis_request_duration_seconds_bucket{${site},le="+Inf"}`]: 4,
        [`portcullis_request_duration_seconds_sum{${site}}`]: 12,
        [`portcullis_request_duration_seconds_count{${site}}`]: 4,
        [`portcullis_upstream_up{${site},upstream="http://192.0.2.1"}`]: 0,
        'portcullis_gateway_connections{gateway="host-0"}': 7,
        [`portcullis_site_info{${site},name="The \\"Shop\\"\\\\"}`]: 1,
      };
      expect(Object.fromEntries(series)).toMatchObject(expected);
      expect(series.get('process_resident_memory_bytes')).toBeGreaterThan(1e6);
    });

    it('has no series for sites that are gone', async () => {
      expect(await (await scrapeAs(session)).text()).not.toContain('"gone"');
    });
  });
}
