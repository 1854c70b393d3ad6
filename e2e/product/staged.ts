import { selfSigned } from '../../packages/service/src/testing/certificate.ts';
import { type Api, signIn } from './api.ts';
import { type Product, startProduct } from './product.ts';
import { totpCode } from './staff.ts';

const account = { email: 'ada@example.com', password: 'Correct-horse-7!' };
const blocksBefore = 40;
const laptop = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

/** A started demo that has something to show on every screen. */
export interface Staged {
  readonly product: Product;
  /** signed in as the administrator */
  readonly api: Api;
  /** signed in as an operator with a second factor */
  readonly withTotp: Api;
  readonly siteId: string;
}

/** Starts the demo, fills what its visitors do not, and waits until charts and lists show what they are for. */
export async function startStaged(): Promise<Staged> {
  const product = await startProduct({
    args: ['--demo'],
    environment: { PORTCULLIS_ADMIN_EMAIL: account.email, PORTCULLIS_ADMIN_PASSWORD: account.password },
  });
  const api = await signIn(product.console, account.email, account.password, laptop);
  await signIn(product.console, account.email, account.password, phone);
  const [site] = (await api.get('/sites')) as { id: string }[];
  if (!site) throw new Error('the demo has no site');
  await fillSites(api, site.id);
  await fillProtection(api, site.id);
  const withTotp = await fillUsers(api, product);
  await untilLively(api);
  return { product, api, withTotp, siteId: site.id };
}

async function fillSites(api: Api, demo: string): Promise<void> {
  const domains = ['intranet.example.com', 'wiki.example.com', 'files.example.com'];
  const intranet = (await api.post('/sites', {
    ...{ name: 'Intranet', description: 'Wiki, files and calendar of the staff', domains },
    ...{ backend_url: 'http://127.0.0.1:9', ssl: { enabled: true }, security_level: 'high' },
  })) as { id: string };
  const { certificate, privateKey } = await selfSigned(domains);
  await api.put(`/sites/${intranet.id}/certificate`, { certificate, privateKey });
  await api.post('/sites', {
    ...{ name: 'Old blog', domains: ['blog.example.com'], enabled: false },
    ...{ backend_url: 'http://127.0.0.1:9', security_level: 'low' },
  });
  const until = new Date(Date.now() + 7 * 86_400_000).toISOString();
  await api.put(`/sites/${demo}`, {
    exceptions: [
      { category: 'sql_injection', path: '/search', parameter: 'q', note: 'Product names hold quotes' },
      { rule_id: 'xss-event-handler', path: '/api/*', method: 'POST', expires_at: until },
    ],
  });
}

async function fillProtection(api: Api, siteId: string): Promise<void> {
  const templates = (await api.get('/protection/templates')) as { id: string; enabled: boolean }[];
  const ruleIds = templates.filter(({ enabled }) => enabled).map(({ id }) => id);
  await api.post('/protection/templates/apply', { siteId, ruleIds: ruleIds.slice(0, 4) });
  await api.post('/protection/rules', {
    ...{ name: 'No admin from outside', description: 'The admin pages are for the office alone' },
    ...{ type: 'custom', action: 'block', severity: 'high', siteId },
    conditions: { operator: 'AND', rules: [{ field: 'path', operator: 'starts_with', value: '/admin' }] },
  });
  await api.post('/access/lists', {
    ...{ name: 'Scanners', description: 'Seen in the logs of last week', action: 'block' },
    entries: ['198.51.100.0/24', '203.0.113.7', '2001:db8:bad::/48'],
  });
  await api.post('/access/lists', { name: 'Office', action: 'allow', entries: ['192.0.2.0/28'], siteId });
}

/** @returns the session of the one among them who has a second factor */
async function fillUsers(api: Api, product: Product): Promise<Api> {
  const grace = { email: 'grace@example.com', password: 'Debugging-1947!' };
  const alan = { email: 'alan@example.com', password: 'Computable-36!' };
  await api.post('/users', { ...grace, role: 'operator' });
  await api.post('/users', { ...alan, role: 'viewer' });
  await api.post('/users', {
    email: 'a.rather.long.name@department.example.com',
    role: 'viewer',
    ...{ password: alan.password },
  });
  const hers = await signIn(product.console, grace.email, grace.password);
  const { secret } = (await hers.post('/auth/totp/enable', { password: grace.password })) as {
    secret: string;
  };
  await hers.post('/auth/totp/verify', { code: totpCode(secret) });
  await api.post('/auth/api-tokens', { name: 'nightly export', permissions: ['audit:view', 'audit:export'] });
  return hers;
}

async function untilLively(api: Api): Promise<void> {
  for (;;) {
    const metrics = (await api.get('/metrics')) as { blockedRequests: number };
    if (metrics.blockedRequests >= blocksBefore) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
