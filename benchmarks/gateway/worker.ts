// One gateway worker as it runs in production, fed with one fixed configuration, its events counted and dropped.
import { ConfigSnapshot, GatewaySite, linkVersion } from '@portcullis/contract/link';
import { createGateway } from '@portcullis/gateway';

const [upstream = '', level = 'medium', dataDir = ''] = process.argv.slice(2);

const site = GatewaySite.parse({
  id: 'bench',
  name: 'Bench',
  version: 1,
  created_at: '',
  updated_at: '',
  domains: ['*'],
  backend_url: upstream,
  security_level: level,
  rate_limit: { enabled: level !== 'off', capacity: 1_000_000, window: 1 },
});
const protection = Object.fromEntries(
  Object.entries(site.protection_config).map(([name, choice]) => {
    // What asks or limits the client instead of looking at the request would end the measurement.
    const aside = ['js_challenge', 'captcha_challenge', 'bot_fight_mode', 'rate_limiting'].includes(name);
    return [name, { ...choice, enabled: !aside }];
  }),
);
const snapshot = ConfigSnapshot.parse({
  linkVersion,
  version: 1,
  createdAt: '',
  sites: [{ ...site, protection_config: protection }],
});

const gateway = createGateway({
  id: 'bench',
  host: '127.0.0.1',
  httpPort: 0,
  httpsPort: 0,
  dataDir,
  source: {
    start: (onDirective) => onDirective({ type: 'snapshot', snapshot }),
    stop: async () => undefined,
  },
  sink: {
    deliver: async () => ({ delivered: true }),
    report: async () => ({ delivered: true }),
    sight: async () => ({ delivered: true }),
  },
  log: {
    info: () => undefined,
    warn: (message, fields) => console.error(message, fields),
    error: (message, fields) => console.error(message, fields),
  },
});
const { httpPort } = await gateway.start();
console.log(JSON.stringify({ httpPort }));
process.on('SIGTERM', () => void gateway.stop({ graceMs: 0 }).then(() => process.exit(0)));
