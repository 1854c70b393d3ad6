import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ask, type StartedGateway, startGateway, startUpstream } from '../testing/index.ts';

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const padding = `note=${'a+quiet+river+'.repeat(60_000)}`;
const hostile = `${padding}&id=${encodeURIComponent("1' UNION SELECT password FROM users--")}`;
const harmless = `${padding}&id=12`;
const framings = [form, { ...form, 'Transfer-Encoding': 'chunked' }];

/** An upstream that answers when it has the whole body, and tells how each body that it was sent ended. */
async function upstreamThatTells() {
  const ends: string[] = [];
  const told = Promise.withResolvers<void>();
  const upstream = await startUpstream((request: IncomingMessage, response) => {
    request
      .on('data', () => undefined)
      .on('end', () => response.end('done'))
      .on('error', () => undefined)
      .on('close', () => {
        ends.push(request.complete ? 'whole' : 'broken off');
        told.resolve();
      });
  });
  return { upstream, ends, told: told.promise };
}

/** An upstream that begins its answer before it has the body, and ends it once it has. */
const upstreamThatAnswersEarly = () =>
  startUpstream((request, response) => {
    request
      .on('data', () => undefined)
      .on('error', () => undefined)
      .on('end', () => response.end('late'));
    response.writeHead(200);
    response.write('early');
  });

/** @returns all that comes back where the hostile end is sent once the answer has begun */
async function postHostile({ port }: StartedGateway): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const fields = [`Content-Type: ${form['Content-Type']}`, `Content-Length: ${hostile.length}`];
  socket.write(`POST / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n${fields.join('\r\n')}\r\n\r\n`);
  socket.write(hostile.slice(0, 300_000));
  const early = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
    if (received.includes('early')) early.resolve();
  });
  socket.on('error', () => undefined).on('close', () => closed.resolve());
  await early.promise;
  socket.write(hostile.slice(300_000));
  await closed.promise;
  return received;
}

describe('a body that is longer than what is inspected before anything goes on', () => {
  test.each(framings)(
    'is inspected on its way; a hostile one never ends for the upstream (%j)',
    async (headers) => {
      const { upstream, ends, told } = await upstreamThatTells();
      await using _upstream = upstream;
      await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
      const answer = await ask(gateway.port, '/', { method: 'POST', headers, body: hostile });
      expect(answer.status).toBe(403);
      await told;
      expect(ends).toEqual(['broken off']);
      const event = await gateway.sink.event((one) => one.decision === 'block');
      expect(event).toMatchObject({ kind: 'detection', category: 'sql_injection', status: 403 });
      expect(event.matches[0]?.target).toBe('form:id');
      expect(gateway.sink.events.filter(({ kind }) => kind === 'upstream_error')).toEqual([]);
    },
  );

  test.each(framings)('goes through whole where it is harmless (%j)', async (headers) => {
    const { upstream, ends, told } = await upstreamThatTells();
    await using _upstream = upstream;
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const answer = await ask(gateway.port, '/', { method: 'POST', headers, body: harmless });
    expect([answer.status, answer.body]).toEqual([200, 'done']);
    await told;
    expect(ends).toEqual(['whole']);
  });

  test('is only told of where the category logs', async () => {
    const { upstream } = await upstreamThatTells();
    await using _upstream = upstream;
    const protection_config = { sql_injection: { enabled: true, mode: 'log' as const } };
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url, protection_config }] });
    const answer = await ask(gateway.port, '/', { method: 'POST', headers: form, body: hostile });
    expect(answer.status).toBe(200);
    await gateway.sink.event((one) => one.decision === 'log' && one.category === 'sql_injection');
    expect(gateway.sink.events.filter(({ kind }) => kind === 'detection')).toHaveLength(1);
  });

  test('passes as it is where the operator says so', async () => {
    const { upstream } = await upstreamThatTells();
    await using _upstream = upstream;
    const failure_modes = { oversize: 'pass' as const };
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url, failure_modes }] });
    expect((await ask(gateway.port, '/', { method: 'POST', headers: form, body: hostile })).status).toBe(200);
  });

  test('breaks off an answer that came before the body had ended', async () => {
    await using upstream = await upstreamThatAnswersEarly();
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const received = await postHostile(gateway);
    expect(received).toMatch(/^HTTP\/1\.1 200/);
    expect(received).not.toMatch(/\r\n0\r\n\r\n$/);
    await gateway.sink.event((one) => one.decision === 'block' && one.category === 'sql_injection');
  });

  test('goes through to its end on a site that is only watched, also after its answer began', async () => {
    await using upstream = await upstreamThatAnswersEarly();
    await using gateway = await startGateway({
      sites: [
        {
          backend_url: upstream.url,
          watch_only: true,
          protection_config: { sql_injection: { enabled: true, mode: 'challenge' as const } },
        },
      ],
    });
    expect(await postHostile(gateway)).toMatch(/late\r\n0\r\n\r\n$/);
    const event = await gateway.sink.event((one) => one.would !== undefined);
    expect(event).toMatchObject({ decision: 'log', would: 'challenge', category: 'sql_injection' });
    expect(gateway.sink.events.filter(({ kind }) => kind === 'detection')).toHaveLength(1);
  });
});
