import { describe, expect, test } from 'vitest';
import { policyOf } from '../../../../../benchmarks/traffic/policies.ts';
import { inspect } from '../../index.ts';
import { blocks, passes } from '../../testing/payloads.ts';
import { post, query, request } from '../../testing/requests.ts';
import { internalHost } from './addresses.ts';

describe('ssrf', () => {
  blocks('ssrf', [
    'http://169.254.169.254/latest/meta-data/',
    'http://metadata.google.internal/computeMetadata/v1/',
    'http://100.100.100.200/latest/meta-data',
    'http://127.0.0.1:8080/admin',
    'http://localhost/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://0/',
    'http://10.0.0.5/',
    'http://192.168.1.1/',
    'http://172.16.0.1/',
    '//169.254.169.254/',
    'gopher://127.0.0.1:6379/_FLUSHALL',
    'dict://127.0.0.1:11211/stat',
    'http://127.0.0.1.nip.io/',
    'http://localtest.me/',
    'http://user@127.0.0.1/',
    'https://x.example@169.254.169.254/',
    'ldap://localhost:389/a',
    'http://[fd00:ec2::254]/latest',
    'http://0xa9fea9fe/',
    'http://169.254.43518/',
  ]);
  passes([
    'https://example.com/',
    'http://8.8.8.8/',
    'https://example.com/?u=https://other.example',
    'https://172.217.1.1/',
    'http://11.0.0.1/',
    '//cdn.example.com/x.js',
    'see localhost in the docs',
    'version 10.0.0.1',
    'https://user:pass@example.com/',
    'ftp://ftp.example.com/x',
    'a//b//c',
    'https://100.20.30.40/',
    'mailto:me@example.com',
  ]);

  test.each([
    ['127.0.0.1', 'loopback'],
    ['017700000001', 'loopback'],
    ['0x7f.1', 'loopback'],
    ['[::]', 'unspecified'],
    ['[0:0:0:0:0:ffff:7f00:1]', 'loopback'],
    ['[fe80::1]', 'link-local'],
    ['[fc00::1]', 'private'],
    ['10.1.2.3.nip.io', 'private'],
    ['10-1-2-3.sslip.io', 'private'],
    ['100.64.0.1', 'private'],
    ['169.254.1.1', 'link-local'],
    ['example.com', undefined],
    ['1.1.1.1', undefined],
    ['256.1.1.1', undefined],
    ['1.2.3.4.5', undefined],
    ['', undefined],
    ['[2001:4860::8888]', undefined],
    ['99999999999', undefined],
  ])('%s is %s', (host, kind) => expect(internalHost(host)).toBe(kind));

  test.each([
    ...['metadata', 'metadata.google.internal', 'metadata.goog', 'instance-data', 'rancher-metadata'],
    ...['instance-data.eu-west-1.compute.internal', 'metadata.tencentyun.com', 'metadata.packet.net'],
    ...['metadata.azure.internal', 'metadata.platformequinix.com', '100.100.100.200', '192.0.0.192'],
    ...[
      '169.254.170.2',
      'kubernetes.default',
      'kubernetes.default.svc',
      'kubernetes.default.svc.cluster.local',
    ],
    ...['LOCALHOST', 'localhost.localdomain', 'loopback', 'ip6-localhost', 'a.localhost', 'localhost.'],
    ...[
      'a.10.0.0.1.xip.io',
      '0a000001.1u.ms',
      '0a000001.rbndr.us',
      '10.0.0.1.traefik.me',
      '10.0.0.1.xip.name',
    ],
    ...['10.0.0.1.ip.es.io', '10-0-0-1.local-ip.co', '10-0-0-1.local-ip.sh', '10.0.0.1.backname.io'],
    ...[
      'host.docker.internal',
      'a.consul',
      'a.svc',
      'a.corp',
      'a.intranet',
      'a.lan',
      'a.localdomain',
      'a.home.arpa',
    ],
    ...['lvh.me', 'a.localtest.me', 'vcap.me', 'lacolhost.com', 'yoogle.com', 'fbi.com', 'localho.st'],
    'spoofed.burpcollaborator.net',
  ])('%s leads inside', (host) => expect(internalHost(host)).toBeDefined());
});

describe('what an identity provider is told of a client', () => {
  const policy = policyOf('medium');
  const sent = (body: unknown) => inspect(policy, post('application/json', JSON.stringify(body))).decision;

  test.each([
    { redirect_uris: ['https://app.example.com/cb', 'http://localhost:3000/cb'] },
    { redirectUris: ['http://localhost:8080/*'], webOrigins: ['http://localhost:8080'] },
    { callbacks: ['http://127.0.0.1:4200/callback'], allowed_logout_urls: ['http://localhost:4200'] },
    { settings: { cors_origins: ['http://localhost:5173'], frontend_url: 'http://localhost:5173' } },
  ])('may lead a browser to the developer: %j', (body) => {
    expect(sent(body)).toBe('pass');
  });

  test.each([
    { callback: 'http://127.0.0.1/' },
    { callback_url: 'http://localhost:9200/' },
    { webhooks: ['http://localhost:3000/'] },
    { urls: ['http://127.0.0.1/admin'] },
    { jwks_uri: 'http://localhost/x' },
    { redirect_uris: ['http://169.254.169.254/latest/'] },
    { redirect_uris: ['gopher://127.0.0.1:6379/_x'] },
    { redirect_uris: [{ url: 'http://127.0.0.1/' }] },
  ])('leads no server inside: %j', (body) => {
    expect(sent(body)).toBe('block');
  });
});

describe('where a deployment goes', () => {
  const policy = policyOf('low');
  const sent = (body: unknown) => inspect(policy, post('application/json', JSON.stringify(body))).decision;
  const to = (server: string) => ({ spec: { destination: { server, namespace: 'shop' } } });

  test.each(['https://kubernetes.default.svc', 'https://kubernetes.default.svc.cluster.local:443'])(
    'may be the cluster that asks: %s',
    (server) => expect(sent(to(server))).toBe('pass'),
  );

  test.each([
    ...['http://169.254.169.254/latest/meta-data/', 'http://metadata.google.internal/', 'http://2852039166/'],
    ...['http://100.100.100.200/', 'http://[fd00:ec2::254]/', 'http://rancher-metadata/'],
  ])('is no metadata service: %s', (server) => expect(sent(to(server))).toBe('block'));

  test.each(['http://169.254.1.1/', 'http://[fe80::1]/'])('is no link-local address: %s', (server) =>
    expect(inspect(policyOf('medium'), post('application/json', JSON.stringify(to(server)))).decision).toBe(
      'block',
    ),
  );

  test.each([
    { url: 'https://kubernetes.default.svc' },
    { destination: { url: 'https://kubernetes.default' } },
  ])('is excused under no other name: %j', (body) => expect(sent(body)).toBe('block'));
});

describe('an address that words follow', () => {
  blocks('ssrf', [
    'http://localhost:3000/ not working',
    'http://127.0.0.1:6379/a b c',
    'http://localhost:3000',
    'http://169.254.169.254 is asked',
  ]);
  passes(['http://localhost:3000 not working', 'http://192.168.1.1 admin login page']);
});

describe('an address between the brackets of Markdown', () => {
  passes(['Then open <http://localhost:8080>.', 'See <http://192.168.1.5/setup> for the rest of it']);
  blocks('ssrf', ['<http://localhost:8080>', 'x <img src=http://10.0.0.5/>']);
});

describe('what an application is told to watch in the network of its operators', () => {
  const policy = policyOf('low');
  const sent = (body: unknown) => inspect(policy, post('application/json', JSON.stringify(body))).decision;

  test.each([
    { monitor: { name: 'NAS', url: 'http://192.168.1.10:5000' } },
    { monitors: [{ address: 'https://intranet.corp/health' }] },
    { health_check_url: 'http://10.0.0.5/up' },
    { scrape: { endpoint: 'http://172.16.4.2:9100/metrics' } },
    { static_configs: [{ targets: ['http://10.0.0.5/health'] }] },
    { nodes: [{ type: 'httpRequest', parameters: { url: 'http://192.168.1.20:8123/api' } }] },
    { media_path: 'smb://192.168.1.5/films' },
    { settings: { backup_location: 'smb://nas.local/backup' } },
    { shares: ['smb://nas/a', 'smb://nas/b'] },
  ])('may lie inside: %j', (body) => {
    expect(sent(body)).toBe('pass');
  });

  test.each([
    { monitor: { url: 'http://169.254.169.254/latest/' } },
    { monitor: { url: 'http://3232235786/' } },
    { monitor_url: 'gopher://192.168.1.10:6379/_x' },
    { nodes: [{ parameters: { url: 'http://metadata.google.internal/' } }] },
    { nodes: [{ url: 'http://192.168.1.20/' }] },
    { url: 'http://192.168.1.10/', interval: 60, type: 'monitor' },
    { webhook_url: 'http://192.168.1.10/' },
    { url: 'smb://192.168.1.5/films' },
    { media_path: 'gopher://192.168.1.5/films' },
    { media_path: 'http://192.168.1.5/films' },
  ])('is no excuse for another place or another name: %j', (body) => {
    expect(sent(body)).toBe('block');
  });

  test('is nothing that a link says', () => {
    const asked = (name: string) => inspect(policy, query('http://192.168.1.10/', name)).decision;
    expect(['monitor_url', 'health_check_url', 'monitor.url'].map(asked)).toEqual([
      'block',
      'block',
      'block',
    ]);
  });

  test('is not this server at medium', () => {
    const body = JSON.stringify({ monitor: { url: 'http://127.0.0.1:6379/' } });
    expect(inspect(policyOf('medium'), post('application/json', body)).decision).toBe('block');
  });
});

test('a host is named alone in what the page before was asked for, and nowhere else of a referrer', () => {
  const decided = (name: string, value: string) =>
    inspect(
      policyOf('low'),
      request({
        headers: [
          ['host', 'shop.example.com'],
          [name, value],
        ],
      }),
    ).decision;
  expect(decided('Referer', 'https://x.example/ping?host=169.254.169.254')).toBe('block');
  expect(decided('Referer', 'https://x.example/ping?host=169.254.169.253')).toBe('pass');
  expect(decided('X-Forwarded-For', '169.254.169.254')).toBe('pass');
});
