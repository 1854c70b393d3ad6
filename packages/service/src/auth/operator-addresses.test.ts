import type { Directive } from '@portcullis/contract/link';
import { expect, it } from 'vitest';
import { startService } from '../testing/index.ts';

it('gateways learn where the console is in use, and when it no longer is', async () => {
  let clock = Date.now();
  const service = await startService({ now: () => clock });
  const { controlPlane } = service.service;
  let told = Promise.withResolvers<readonly string[]>();
  controlPlane.subscribe((directive: Directive) => {
    if (directive.type === 'operators') told.resolve(directive.addresses);
  });
  try {
    await service.signIn();
    expect(await told.promise).toEqual(['127.0.0.1']);
    expect(controlPlane.current()).toContainEqual({ type: 'operators', addresses: ['127.0.0.1'] });
    told = Promise.withResolvers();
    clock += 3_600_001;
    expect(await told.promise).toEqual([]);
  } finally {
    await service.stop();
  }
});
