import { z } from 'zod';
import { startShop, visitForever } from '../demo/index.ts';
import { createLog } from '../log/index.ts';
import { runPart } from '../process/index.ts';

const Opened = z.object({ type: z.literal('gateway'), port: z.number().int() });

/** `portcullis demo`, started by the launcher: a shop, and visits to it once the gateway's port is known. */
export async function runDemo(): Promise<void> {
  const log = createLog('demo', (line) => process.stderr.write(line));
  const stopping = new AbortController();
  let visiting: Promise<void> | undefined;
  let stopShop: (() => void) | undefined;
  process.on('message', (message) => {
    visiting ??= visitForever(Opened.parse(message).port, stopping.signal);
  });
  await runPart(
    {
      async start() {
        const shop = await startShop();
        stopShop = () => shop.server.close();
        return { port: shop.port };
      },
      async stop() {
        stopping.abort();
        await visiting;
        stopShop?.();
      },
    },
    log,
  );
}
