import { expect, it, onTestFinished } from 'vitest';
import { openStorage } from '../storage/index.ts';
import { startService } from '../testing/index.ts';

it('keeps a theme that follows the system by the word that every version reads, whichever is sent', async () => {
  const service = await startService({});
  onTestFinished(() => service.stop());
  const token = await service.signIn();
  const storage = await openStorage({ dataDir: service.dataDir });
  onTestFinished(() => storage.close());
  for (const theme of ['system', 'auto']) {
    const saved = await service.call('PUT', '/api/users/preferences', { theme }, token);
    expect([saved.status, saved.body.theme]).toEqual([200, 'auto']);
    const { body } = await service.call('GET', '/api/users/preferences', undefined, token);
    expect(body.theme).toBe('auto');
    const rows = await storage.read.selectFrom('users').select('preferences').execute();
    expect(rows.map(({ preferences }) => JSON.parse(preferences).theme)).toEqual(['auto']);
  }
});

it('says of the theme in its description what it takes and what it answers', async () => {
  const service = await startService({});
  onTestFinished(() => service.stop());
  const { body } = await service.call('GET', '/api/openapi.json');
  const named = (schema: object): object => {
    const [, name] = /"#\/components\/schemas\/(\w+)"/.exec(JSON.stringify(schema)) ?? [];
    return name === undefined ? schema : body.components.schemas[name];
  };
  const { put } = body.paths['/users/preferences'];
  expect(JSON.stringify(named(put.requestBody))).toContain('"system"');
  expect(JSON.stringify(named(put.responses[200]))).toContain('"auto"');
  expect(JSON.stringify(named(put.responses[200]))).not.toContain('"system"');
});
