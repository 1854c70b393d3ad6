import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readEnvironment } from './index.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'portcullis-environment-'));
afterAll(() => rmSync(folder, { recursive: true }));

function secretFile(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

function problemsOf(environment: Record<string, string>): readonly string[] {
  const reading = readEnvironment(environment);
  return reading.ok ? [] : reading.problems;
}

describe('settings by environment', () => {
  it('need nothing at all', () => {
    const reading = readEnvironment({ PATH: '/bin', PORTCULLIS_ADMIN_PORT: '' });
    expect(reading).toMatchObject({
      ok: true,
      settings: {
        PORTCULLIS_DATA_DIR: path.resolve('data'),
        PORTCULLIS_ADMIN_HOST: '127.0.0.1',
        PORTCULLIS_ADMIN_PORT: 7080,
        PORTCULLIS_HTTP_HOST: '::',
        PORTCULLIS_HTTP_PORT: 8080,
        PORTCULLIS_HTTPS_PORT: 8443,
      },
    });
  });

  it('keep logs bounded, and events off the standard output unless asked', () => {
    expect(readEnvironment({})).toMatchObject({
      settings: { PORTCULLIS_EVENT_LOG: 'off', PORTCULLIS_ACCESS_LOG_MEGABYTES: 1024 },
    });
    expect(problemsOf({ PORTCULLIS_EVENT_LOG: 'yes', PORTCULLIS_ACCESS_LOG_MEGABYTES: '1' })).toEqual([
      'PORTCULLIS_ACCESS_LOG_MEGABYTES lies below 8',
      'PORTCULLIS_EVENT_LOG is neither off nor stdout',
    ]);
  });

  it('take the key of an account at an authority from a file, whole and with its name', () => {
    const hmacKey = 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W';
    const file = secretFile('eab', `${hmacKey}\n`);
    const account = { PORTCULLIS_ACME_EAB_KEY_ID: 'kid-1', PORTCULLIS_ACME_EAB_HMAC_KEY_FILE: file };
    expect(readEnvironment(account)).toMatchObject({
      settings: { PORTCULLIS_ACME_EAB_KEY_ID: 'kid-1', PORTCULLIS_ACME_EAB_HMAC_KEY: hmacKey },
    });
    expect(problemsOf({ PORTCULLIS_ACME_EAB_KEY_ID: 'kid-1' })).toEqual([
      expect.stringContaining('PORTCULLIS_ACME_EAB_HMAC_KEY is needed'),
    ]);
    expect(
      problemsOf({ ...account, PORTCULLIS_ACME_EAB_HMAC_KEY_FILE: secretFile('bad', 'no key') }),
    ).toEqual([expect.stringContaining('is not a key in base64url')]);
  });

  it('report all problems at once', () => {
    const problems = problemsOf({
      PORTCULLIS_ADMIN_PORT: 'eighty',
      PORTCULLIS_HTTP_PORT: '70000',
      PORTCULLIS_GATEWAY_WORKERS: '0',
      PORTCULLIS_DATABASE_URL: 'mysql://db',
      PORTCULLIS_ADMIN_EMAIL: 'nobody',
      PORTCULLIS_HTTPS_PROT: '1',
    });
    expect(problems).toEqual([
      expect.stringContaining('PORTCULLIS_HTTPS_PROT is not a setting'),
      'PORTCULLIS_ADMIN_PORT is not a number',
      'PORTCULLIS_HTTP_PORT lies above 65535',
      'PORTCULLIS_GATEWAY_WORKERS lies below 1',
      'PORTCULLIS_DATABASE_URL is not a URL that starts with postgres:// or postgresql://',
      'PORTCULLIS_ADMIN_EMAIL is not an email address',
    ]);
  });

  it('name the console as browsers do, and the proxies in front of it', () => {
    const reading = readEnvironment({
      PORTCULLIS_PUBLIC_URL: 'https://console.example.com/',
      PORTCULLIS_ADMIN_TRUSTED_PROXIES: '127.0.0.1, FD00::/8',
    });
    expect(reading).toMatchObject({
      ok: true,
      settings: {
        PORTCULLIS_PUBLIC_URL: 'https://console.example.com/',
        PORTCULLIS_ADMIN_TRUSTED_PROXIES: ['127.0.0.1', 'fd00::/8'],
      },
    });
    const wrong = {
      PORTCULLIS_PUBLIC_URL: 'https://console.example.com/console',
      PORTCULLIS_ADMIN_TRUSTED_PROXIES: '127.0.0.1,nginx',
    };
    expect(problemsOf(wrong)).toEqual([
      'PORTCULLIS_PUBLIC_URL is not a URL such as https://console.example.com',
      'PORTCULLIS_ADMIN_TRUSTED_PROXIES is not a list of addresses and networks such as 127.0.0.1,10.0.0.0/8',
    ]);
  });

  it('refuse two servers on one port', () => {
    expect(problemsOf({ PORTCULLIS_HTTP_PORT: '7080' })).toEqual([
      'PORTCULLIS_HTTP_PORT is the same port as PORTCULLIS_ADMIN_PORT',
    ]);
  });

  it('want email and password of the first administrator together', () => {
    expect(problemsOf({ PORTCULLIS_ADMIN_EMAIL: 'a@example.com' })).toEqual([
      'PORTCULLIS_ADMIN_PASSWORD is needed because PORTCULLIS_ADMIN_EMAIL is set',
    ]);
  });
});

describe('a secret from a file', () => {
  it('is read without the line end that editors add', () => {
    const reading = readEnvironment({
      PORTCULLIS_ADMIN_EMAIL: 'a@example.com',
      PORTCULLIS_ADMIN_PASSWORD_FILE: secretFile('password', 'correct horse \n'),
    });
    expect(reading).toMatchObject({ ok: true, settings: { PORTCULLIS_ADMIN_PASSWORD: 'correct horse ' } });
  });

  it('is not guessed where it is also given directly, missing or empty', () => {
    const file = secretFile('url', 'postgres://db');
    expect(
      problemsOf({ PORTCULLIS_DATABASE_URL: 'postgres://x', PORTCULLIS_DATABASE_URL_FILE: file }),
    ).toEqual(['PORTCULLIS_DATABASE_URL and PORTCULLIS_DATABASE_URL_FILE are both set; keep one of them']);
    expect(problemsOf({ PORTCULLIS_REDIS_URL_FILE: path.join(folder, 'none') })[0]).toContain(
      'cannot be read (ENOENT)',
    );
    expect(problemsOf({ PORTCULLIS_REDIS_URL_FILE: secretFile('empty', '\n') })[0]).toContain(
      'which is empty',
    );
  });

  it('never shows in a problem', () => {
    const file = secretFile('wrong', 'hunter2-not-a-url');
    expect(problemsOf({ PORTCULLIS_DATABASE_URL_FILE: file }).join()).not.toContain('hunter2');
  });
});
