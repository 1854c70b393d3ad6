import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import acme from 'acme-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AcmeServer, pebbleMissing, startAcmeServer } from '../testing/index.ts';
import { type AcmeBinding, orderCertificate } from './acme-order.ts';

const missing = pebbleMissing();
const binding = {
  keyId: 'kid-1',
  hmacKey: 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W',
};

describe.skipIf(missing !== undefined)(
  `an authority that asks for an account of its own${missing ? ` (${missing})` : ''}`,
  () => {
    const answers = new Map<string, string>();
    let server: Server;
    let authority: AcmeServer;
    beforeAll(async () => {
      server = createServer((request, response) => {
        response.end(answers.get(String(request.url).replace('/.well-known/acme-challenge/', '')));
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      authority = await startAcmeServer((server.address() as AddressInfo).port, undefined, binding);
    }, 30_000);
    afterAll(async () => {
      await authority.stop();
      server.close();
    });

    const order = async (accountKey: string, bound: AcmeBinding | undefined) =>
      orderCertificate({
        authority: { ...authority.authority, binding: bound },
        accountKey,
        domains: ['shop.example.com'],
        now: Date.now,
        publish: async (token, keyAuthorization) => {
          answers.set(token, keyAuthorization);
          return undefined;
        },
      });
    const newKey = async () => (await acme.crypto.createPrivateEcdsaKey()).toString();

    it('signs for who names it, and again with the account that came of it', async () => {
      const accountKey = await newKey();
      expect(await order(accountKey, binding)).toMatchObject({ ok: true });
      expect(await order(accountKey, binding)).toMatchObject({ ok: true });
    }, 60_000);

    it.each([
      ['nobody', undefined],
      ['another key', { ...binding, hmacKey: 'x'.repeat(64) }],
    ])(
      'refuses who names %s, which the step says',
      async (_who, bound) => {
        expect(await order(await newKey(), bound)).toMatchObject({
          ok: false,
          steps: [{ step: 'account', status: 'failed', detail: expect.stringMatching(/external ?account/i) }],
        });
      },
      60_000,
    );
  },
);
