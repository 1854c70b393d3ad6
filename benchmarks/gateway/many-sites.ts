// One gateway worker as it runs in production, fed with the snapshot in a file; says what memory it takes when asked.
import { readFileSync } from 'node:fs';
import { createGateway } from '@portcullis/gateway';

const [file = '', dataDir = ''] = process.argv.slice(2);
const quiet = () => undefined;

const gateway = createGateway({
  id: 'bench',
  host: '127.0.0.1',
  httpPort: 0,
  httpsPort: 0,
  dataDir,
  source: {
    start(onDirective) {
      process.on('message', (message) => {
        if (message === 'configure')
          onDirective({ type: 'snapshot', snapshot: JSON.parse(readFileSync(file, 'utf8')) });
        const { heapUsed, heapTotal, external } = process.memoryUsage();
        process.send?.({ heapUsed, heapTotal, external });
      });
    },
    stop: async () => undefined,
  },
  sink: {
    deliver: async () => ({ delivered: true }),
    report: async () => ({ delivered: true }),
    sight: async () => ({ delivered: true }),
  },
  log: { info: quiet, warn: quiet, error: (message, fields) => console.error(message, fields) },
});
process.on('SIGTERM', () => void gateway.stop({ graceMs: 0 }).then(() => process.exit(0)));
process.send?.(await gateway.start());
