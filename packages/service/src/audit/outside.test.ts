import { afterAll, describe, expect, it } from 'vitest';
import { testDialects } from '../storage/testing/index.ts';
import { commandLineActor, createAuditLog, createOutsideActions } from './index.ts';

const start = Date.UTC(2026, 0, 2);
const hourMs = 3_600_000;

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`the command line, on ${dialect.name}${why}`, () => {
    afterAll(() => dialect.stop());

    it('is announced once by whichever service looks, and not when it is long past', async () => {
      const storage = await dialect.open();
      let now = start;
      const command = createAuditLog(storage, () => now);
      const act = (actor: string, message: string) =>
        command.write({ action: 'configuration.import', level: 'info', message, actor, ip: '' });
      const service = () => {
        const heard: string[] = [];
        const announce = ({ message, actor }: { message: string; actor: string }) =>
          void heard.push(`${actor}: ${message}`);
        return { heard, ...createOutsideActions(storage, { announce }, () => now) };
      };
      const [first, second] = [service(), service()];
      await act(commandLineActor('ada'), 'one');
      await act('eve@example.com', 'two');
      await first.look();
      await second.look();
      await act(commandLineActor('ada'), 'three');
      now += 2 * hourMs;
      await second.look();
      await first.look();
      await act(commandLineActor('ada'), 'four');
      now += 25 * hourMs;
      await first.look();
      expect([first.heard, second.heard]).toEqual([
        ['command line (ada): one'],
        ['command line (ada): three'],
      ]);
      await storage.close();
    });
  });
}
