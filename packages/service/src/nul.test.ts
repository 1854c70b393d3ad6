import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestStorage, testDialects } from './storage/testing/index.ts';
import { startService, type TestService } from './testing/index.ts';

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`a NUL character, on ${dialect.name}${why}`, () => {
    let storage: TestStorage;
    let service: TestService;
    let token: string;

    beforeAll(async () => {
      storage = await dialect.open();
      service = await startService({ databaseUrl: storage.databaseUrl });
      token = await service.signIn();
    });
    afterAll(async () => {
      await service.stop();
      await storage.close();
      await dialect.stop();
    });

    it.each([
      ['PUT', '/api/auth/profile', { displayName: 'Ada\u0000' }],
      ['PUT', '/api/settings/general', { systemName: 'gate\u0000' }],
      ['POST', '/api/auth/login', { email: 'a\u0000', password: 'b' }],
      ['PUT', '/api/settings/general', { 'na\u0000me': 1 }],
    ])('is refused in the body of %s %s', async (method, url, body) => {
      const answer = await service.call(method, url, body, token);
      expect(answer).toMatchObject({ status: 400, body: { code: 'malformed_body' } });
    });

    it.each(['/api/sites/%00', '/api/audit?siteId=%00'])('is refused in the address %s', async (url) => {
      const answer = await service.call('GET', url, undefined, token);
      expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    });
  });
}
