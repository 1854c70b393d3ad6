import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { isForbiddenAddress, isInternalAddress } from './addresses.ts';
import { post } from './post.ts';
import { type Resolver, resolveDestination } from './resolve.ts';

describe('an address', () => {
  it.each([
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    'fe80::1',
    'fd00:ec2::254',
    '100.100.100.200',
    '0.0.0.0',
    '::',
    '224.0.0.1',
    '255.255.255.255',
    'ff02::1',
    'not an address',
  ])('%s is never called', (address) => {
    expect(isForbiddenAddress(address)).toBe(true);
  });

  it.each(['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '::1', 'fd12::1', '::ffff:10.0.0.1'])(
    '%s is one of our own',
    (address) => {
      expect(isInternalAddress(address)).toBe(true);
      expect(isForbiddenAddress(address)).toBe(false);
    },
  );

  it.each(['93.184.216.34', '172.32.0.1', '2606:2800:220:1::1'])('%s is public', (address) => {
    expect(isInternalAddress(address)).toBe(false);
    expect(isForbiddenAddress(address)).toBe(false);
  });
});

describe('a destination', () => {
  const patient = new AbortController().signal;
  const resolved = (host: string, resolver?: Resolver) => resolveDestination(host, patient, resolver);
  const failing = (code: string) => async () => {
    throw Object.assign(new Error(`getaddrinfo ${code}`), { code });
  };

  it('is refused by what its name leads to, even as one address among several', async () => {
    const never = { mayPass: false, reason: expect.stringContaining('never called') };
    const both = async () => ['93.184.216.34', '169.254.169.254'];
    expect(await resolved('hooks.example.com', both)).toEqual(never);
    expect(await resolved('metadata.google.internal.', async () => ['93.184.216.34'])).toEqual(never);
    expect(await resolved('[fe80::1]')).toEqual(never);
  });

  it('may be there later where name servers know no address now, or are away', async () => {
    const none = { mayPass: true, reason: 'The name nowhere.example has no address' };
    expect(await resolved('nowhere.example', failing('ENOTFOUND'))).toEqual(none);
    expect(await resolved('nowhere.example', async () => [])).toEqual(none);
    expect(await resolved('hooks.example.com', failing('EAI_AGAIN'))).toEqual({
      mayPass: true,
      reason: 'The name hooks.example.com could not be looked up (EAI_AGAIN)',
    });
  });
});

describe('a call to the outside', () => {
  const stops: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });
  const serve = async (status: number, headers: Record<string, string> = {}, body = 'ok') => {
    const hosts: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      hosts.push(request.headers.host);
      response.writeHead(status, headers).end(body);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    stops.push(async () => {
      server.closeAllConnections();
      server.close();
    });
    return { port: (server.address() as AddressInfo).port, hosts };
  };
  const call = (url: string, resolver = async () => ['127.0.0.1']) =>
    post({ url, headers: {}, body: '{}' }, { resolver });

  it('goes to the address that was checked, whatever the name says next', async () => {
    const { port, hosts } = await serve(200);
    let asked = 0;
    const rebinding = async () => {
      asked += 1;
      return [asked === 1 ? '127.0.0.1' : '169.254.169.254'];
    };
    const result = await call(`http://hooks.example.com:${port}/x`, rebinding);
    expect(result).toMatchObject({ answered: true, status: 200 });
    expect({ asked, hosts }).toEqual({ asked: 1, hosts: [`hooks.example.com:${port}`] });
  });

  it('follows no redirect', async () => {
    const target = await serve(200);
    const { port } = await serve(302, { location: `http://127.0.0.1:${target.port}/` });
    expect(await call(`http://127.0.0.1:${port}/`)).toMatchObject({ answered: true, status: 302 });
    expect(target.hosts).toEqual([]);
  });

  it('goes to no metadata address, nor to a public one without TLS', async () => {
    for (const url of [
      'http://169.254.169.254/latest',
      'http://2852039166/',
      'http://0xA9FEA9FE/',
      'file:///etc/passwd',
    ]) {
      expect(await call(url)).toMatchObject({ answered: false, mayPass: false });
    }
    const plain = await call('http://hooks.example.com/', async () => ['93.184.216.34']);
    expect(plain).toMatchObject({ answered: false, reason: expect.stringContaining('use https') });
  });

  it('ends where name servers say nothing for as long as it may take', async () => {
    const silent = () => new Promise<string[]>(() => {});
    const call = { url: 'https://hooks.example.com/', headers: {}, body: '{}' };
    expect(await post(call, { resolver: silent, limitMs: 50 })).toEqual({
      answered: false,
      mayPass: true,
      reason: 'The name hooks.example.com could not be looked up in time',
    });
  });

  it('reads no more of an answer than its start', async () => {
    const { port } = await serve(500, {}, 'x'.repeat(1_000_000));
    const result = await call(`http://127.0.0.1:${port}/`);
    expect(result).toMatchObject({ answered: true, status: 500 });
    expect(result.answered && result.body.length).toBe(2048);
  });

  it('says why nobody answered', async () => {
    const { port } = await serve(200);
    for (const stop of stops.splice(0)) await stop();
    expect(await call(`http://127.0.0.1:${port}/`)).toMatchObject({
      answered: false,
      mayPass: true,
      reason: expect.stringContaining('ECONNREFUSED'),
    });
  });
});
