import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDialects } from '../storage/testing/index.ts';
import { selfSigned, startService, type TestService } from '../testing/index.ts';

const shop = {
  name: 'Shop',
  domains: ['shop.example.com', 'www.shop.example.com'],
  backend_url: 'http://127.0.0.1:3000',
};

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`an uploaded certificate on ${dialect.name}${why}`, () => {
    let service: TestService;
    let token: string;
    const call: TestService['call'] = (...given) => service.call(...given);
    const served = () => {
      const [directive] = service.service.controlPlane.current();
      if (directive?.type !== 'snapshot') throw new Error('no snapshot');
      return directive.snapshot.certificates;
    };
    beforeEach(async () => {
      service = await startService({ databaseUrl: await dialect.databaseUrl() });
      token = await service.signIn();
    });
    afterEach(() => service.stop());
    afterAll(() => dialect.stop());

    it('reaches the gateways with its key, and the console without', async () => {
      const { id } = (await call('POST', '/api/sites', shop, token)).body;
      const { certificate, privateKey } = await selfSigned(shop.domains);
      const sent = await call('PUT', `/api/sites/${id}/certificate`, { certificate, privateKey }, token);
      expect(sent.body).toMatchObject({
        siteId: id,
        source: 'uploaded',
        state: 'valid',
        domains: shop.domains,
      });
      expect(served()).toMatchObject([{ siteId: id, chain: certificate, privateKey }]);
      const listed = await call('GET', '/api/certificates', undefined, token);
      expect(JSON.stringify(listed.body)).not.toContain('PRIVATE');
      expect((await call('DELETE', `/api/sites/${id}/certificate`, undefined, token)).status).toBe(204);
      expect(served()).toEqual([]);
      expect((await call('DELETE', `/api/sites/${id}/certificate`, undefined, token)).status).toBe(404);
    });

    it('is kept without a key that stands among its chain', async () => {
      const { id } = (await call('POST', '/api/sites', shop, token)).body;
      const { certificate, privateKey } = await selfSigned(shop.domains);
      const combined = `# shop\n${privateKey}${certificate}`;
      const sent = await call(
        'PUT',
        `/api/sites/${id}/certificate`,
        { certificate: combined, privateKey },
        token,
      );
      expect(sent.status).toBe(200);
      expect(served()[0]?.chain).toBe(certificate);
    });

    it('is refused with every issue, and the one before stays', async () => {
      const { id } = (await call('POST', '/api/sites', shop, token)).body;
      const good = await selfSigned(shop.domains);
      const bad = await selfSigned(['other.example']);
      await call('PUT', `/api/sites/${id}/certificate`, good, token);
      const mixed = { certificate: bad.certificate, privateKey: good.privateKey };
      const refused = await call('PUT', `/api/sites/${id}/certificate`, mixed, token);
      expect(refused.body).toMatchObject({ code: 'validation_failed' });
      expect(refused.body.issues).toHaveLength(2);
      expect(served()[0]?.chain).toBe(good.certificate);
    });
  });
}
