// One gateway worker as it runs in production, fed with the snapshot in a file; says what memory it takes when asked.
import { readFileSync } from 'node:fs';
import { createGateway } from '@portcullis/gateway';

const [file = '', dataDir = ''] = process.argv.slice(2);
const quiet = (): void => undefined;

let onInForce = quiet;
const gateway = createGateway({
  id: 'bench',
  host: '127.0.0.1',
  httpPort: 0,
  httpsPort: 0,
  dataDir,
  source: {
    start(onDirective) {
      const answer = () => {
        const { heapUsed, heapTotal, external } = process.memoryUsage();
        process.send?.({ heapUsed, heapTotal, external });
      };
      process.on('message', (message) => {
        if (message !== 'configure') return answer();
        onInForce = answer;
        onDirective({ type: 'snapshot', snapshot: JSON.parse(readFileSync(file, 'utf8')) });
      });
    },
    stop: async () => undefined,
  },
  sink: {
    deliver: async () => ({ delivered: true }),
    // So many sites are put in force between requests, some turns of the event loop after they came.
    report: async ({ configVersion }) => {
      if (configVersion !== undefined) {
        onInForce();
        onInForce = quiet;
      }
      return { delivered: true };
    },
    sight: async () => ({ delivered: true }),
  },
  log: { info: quiet, warn: quiet, error: (message, fields) => console.error(message, fields) },
});
process.on('SIGTERM', () => void gateway.stop({ graceMs: 0 }).then(() => process.exit(0)));
process.send?.(await gateway.start());
