import { type ClientRequest, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { testDialects } from '../storage/testing/index.ts';
import { startService, type TestService } from '../testing/index.ts';

const soon = { timeout: 30_000, interval: 20 };

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(
    `a list that is fed as text on ${dialect.name}${why}`,
    () => {
      let service: TestService;
      let token: string;
      let id: string;
      const call = (method: string, path: string, body?: unknown) =>
        service.call(method, `/api/access/lists${path}`, body, token);
      const put = async (
        sent: NonNullable<RequestInit['body']>,
        headers: Record<string, string> = {},
        query = '',
      ) => {
        const answer = await fetch(`${service.base}/api/access/lists/${id}/entries${query}`, {
          method: 'PUT',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain', ...headers },
          body: sent,
        });
        const body: ReturnType<typeof JSON.parse> = await answer.json();
        return { status: answer.status, body };
      };
      const stored = async () => {
        const headers = { authorization: `Bearer ${token}` };
        return (await fetch(`${service.base}/api/access/lists/${id}/entries`, { headers })).text();
      };
      beforeAll(async () => {
        service = await startService({ databaseUrl: await dialect.databaseUrl() });
        token = await service.signIn();
        id = (await call('POST', '', { name: 'Feed', action: 'block', entries: ['192.0.2.1'] })).body.id;
      });
      afterAll(async () => {
        await service.stop();
        await dialect.stop();
      });

      it('takes a feed as it is, with remarks, empty lines and repetitions, and gives it back', async () => {
        const feed =
          '# Feed of today\r\n192.0.2.7 ; seen twice\n\n192.0.2.7\n 2001:DB8::/32\n10.0.0.0/8 # inner';
        expect(await put(feed)).toMatchObject({ status: 200, body: { id, version: 2, entry_count: 3 } });
        expect(await stored()).toBe('192.0.2.7\n2001:db8::/32\n10.0.0.0/8\n');
        const [list] = (await call('GET', '?entries=none')).body;
        expect(list).toMatchObject({
          name: 'Feed',
          action: 'block',
          version: 2,
          entries: [],
          entry_count: 3,
        });
      });

      it('takes more than fits into a call of JSON, plain or packed, and no more than it is told', async () => {
        const many = Array.from({ length: 100_000 }, (_, n) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
        const remark = ' # seen by three sensors in the last month';
        const text = many.map((entry) => entry + remark).join('\n');
        expect(text.length).toBeGreaterThan(4_000_000);
        expect((await put(text)).body.entry_count).toBe(100_000);
        const packed = gzipSync(`${text}\n192.0.2.1\n`);
        expect((await put(packed, { 'content-encoding': 'gzip' })).body.entry_count).toBe(100_001);
        expect(await stored()).toBe(`${many.join('\n')}\n192.0.2.1\n`);
        const [newest] = (await service.call('GET', '/api/configuration/versions?limit=1', undefined, token))
          .body;
        expect(newest.changes).toMatchObject([{ kind: 'address_list', fields: ['entries'] }]);
        const all = (await call('GET', '')).body;
        expect(all).toMatchObject([{ name: 'Feed', entry_count: 100_001 }]);
        expect(all[0].entries).toEqual([...many, '192.0.2.1']);
        const renamed = await call('PUT', `/${id}`, { name: 'Feed', action: 'block', description: 'Daily' });
        expect(renamed.body).toEqual({
          ...all[0],
          description: 'Daily',
          version: all[0].version + 1,
          updated_at: renamed.body.updated_at,
        });
        // A few hundred kilobytes on the wire.
        const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024, `#${' '.repeat(4000)}\n`), { level: 1 });
        expect(await put(bomb, { 'content-encoding': 'gzip' })).toMatchObject({
          status: 413,
          body: { code: 'body_too_large' },
        });
      });

      it('is not read where others are under way, and is again once they went', async () => {
        const slow: ClientRequest[] = [];
        const open = () => {
          const { hostname, port } = new URL(service.base);
          const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/plain' };
          const call = request({
            hostname,
            port,
            method: 'PUT',
            path: `/api/access/lists/${id}/entries`,
            headers,
          });
          call.on('error', () => {});
          call.write('192.0.2.1\n');
          slow.push(call);
        };
        const code = async () => (await put('192.0.2.1\n')).body.code;
        await vi.waitFor(async () => {
          open();
          expect(await code()).toBe('too_many_requests');
        }, soon);
        for (const call of slow) call.destroy();
        await vi.waitFor(async () => expect(await code()).toBeUndefined(), soon);
        expect(service.logged.filter((line) => line.includes('aborted'))).toEqual([]);
      });

      it('is refused whole with the lines of what is wrong, and where it was read is stale', async () => {
        const { version } = (await call('GET', '?entries=none')).body[0];
        const wrong = await put('192.0.2.1\nnobody\n\n10.0.0.0/40\n');
        expect(wrong).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
        expect(wrong.body.issues.map(({ line }: { line: number }) => line)).toEqual([2, 4]);
        expect((await put(`${'x'.repeat(100_000)}\n`)).body.issues).toHaveLength(1);
        expect((await put('x\n'.repeat(5000))).body.issues).toHaveLength(100);
        expect((await put('192.0.2.1', {}, '?version=1')).body.code).toBe('version_conflict');
        // A script whose variable is empty asked for the guard, and must not write without it.
        expect(await put('192.0.2.1', {}, '?version=')).toMatchObject({
          status: 422,
          body: { issues: [{ path: 'query.version' }] },
        });
        expect((await put('{}', { 'content-type': 'application/json' })).body.message).toContain(
          'text/plain',
        );
        expect((await put('x', { 'content-encoding': 'br' })).status).toBe(415);
        expect((await put('x', { 'content-encoding': 'gzip' })).body.code).toBe('malformed_body');
        expect((await put(new Uint8Array([0xff, 0xfe]))).body.message).toContain('UTF-8');
        expect((await call('GET', '?entries=none')).body[0].version).toBe(version);
        expect((await put('', {}, `?version=${version}`)).body).toMatchObject({ entry_count: 0 });
      });
    },
  );
}
