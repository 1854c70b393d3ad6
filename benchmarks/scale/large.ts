import { AddressList } from '../../packages/contract/src/access/index.ts';
import type { ConfigSnapshot } from '../../packages/contract/src/link/index.ts';
import { inspectedCategories } from '../../packages/engine/src/vocabulary.ts';
import { snapshot } from '../../packages/gateway/src/testing/index.ts';

export const hostOf = (index: number) => `site-${index}.example.com`;

/** Sites that differ in name and in a rule of their own, as an operator's do. */
export function snapshotOf(plan: {
  readonly version: number;
  readonly sites: number;
  readonly upstream: string;
  /** of the site that differs from one version to the next */
  readonly changed?: string;
  readonly addresses?: number;
}): ConfigSnapshot {
  const sites = Array.from({ length: plan.sites }, (_, index) => ({
    id: `s${index}`,
    name: `Site ${index}`,
    ...(index === 0 && plan.changed !== undefined && changedSite(plan.version, plan.changed)),
    domains: [hostOf(index)],
    backend_url: plan.upstream,
    bot_protection: { enabled: false },
  }));
  const addressLists = plan.addresses ? [listOf(plan.addresses)] : [];
  return snapshot({ version: plan.version, sites, addressLists });
}

/** Says something else, and inspects what no site did before: a policy of its own is compiled for it. */
const changedSite = (version: number, description: string) => ({
  description,
  protection_config: {
    [inspectedCategories[version % inspectedCategories.length] ?? '']: { enabled: false },
  },
});

/** How a site limits its clients: not, as it does unless the operator says otherwise, or by what nobody reaches. */
const limitOf = {
  without: { enabled: false },
  usual: { enabled: true },
  ample: { enabled: true, capacity: 1_000_000, window: 60 },
} as const;

/** @returns a site for each limit; who asks is believed to be a proxy */
export function limitSnapshotOf(
  hosts: Readonly<Record<keyof typeof limitOf, string>>,
  upstream: string,
): ConfigSnapshot {
  const sites = (['without', 'usual', 'ample'] as const).map((limit) => ({
    id: limit,
    name: limit,
    domains: [hosts[limit]],
    backend_url: upstream,
    bot_protection: { enabled: false },
    rate_limit: limitOf[limit],
  }));
  return snapshot({ version: 1, sites, security: { trustedProxies: ['127.0.0.1'] } });
}

/** Single addresses of 10.0.0.0/8, none next to another, in an order that is none. */
function listOf(count: number): AddressList {
  const entries = Array.from({ length: count }, (_, index) => {
    const number = (((index * 7_919_333) % count) * 16) >>> 0;
    return `10.${(number >>> 16) & 255}.${(number >>> 8) & 255}.${number & 255}`;
  });
  return AddressList.parse({ id: 'listed', name: 'Listed', action: 'block', enabled: true, entries });
}
