import { type BanAnswer, clientNetwork } from '@portcullis/contract/access';
import { endpoints } from '@portcullis/contract/api';
import type { FastifyInstance } from 'fastify';
import type { AuditLog } from '../audit/index.ts';
import { serve } from '../http/index.ts';
import { failure, success } from '../outcome.ts';
import type { Storage } from '../storage/index.ts';
import type { Bans } from './bans.ts';
import { type BanRow, bansInForce, countBanned, liftBan } from './repository.ts';

export interface BanRouteParts {
  readonly storage: Storage;
  readonly audit: AuditLog;
  readonly bans: Bans;
  readonly now: () => number;
}

const maxListed = 500;

function present(row: BanRow): BanAnswer {
  return {
    id: row.id,
    address: row.address,
    clientIP: row.client_ip,
    since: new Date(row.since).toISOString(),
    until: new Date(row.ends_at).toISOString(),
    ...(row.site_id !== null && { siteId: row.site_id }),
    reason: row.reason,
  };
}

/** Of the bans of one address, each of another gateway, the one that ends last; a lift ends all of them. */
export function oneForEach(rows: readonly BanRow[]): BanRow[] {
  const last = new Map<string, BanRow>();
  for (const row of rows) {
    const known = last.get(row.address);
    if (known === undefined || row.ends_at > known.ends_at) last.set(row.address, row);
  }
  return [...last.values()];
}

/** GET /access/bans, DELETE /access/bans/{id}. */
export function banRoutes(app: FastifyInstance, { storage, audit, bans, now }: BanRouteParts): void {
  const { bans: list, liftBan: lift } = endpoints.access;

  serve(app, list, async ({ query: { ip } }) => {
    const address = ip === undefined ? undefined : (clientNetwork(ip) ?? ip);
    const rows = await bansInForce(storage.read, now(), maxListed, address);
    return success({
      bans: oneForEach(rows).map(present),
      total: await countBanned(storage.read, now(), address),
    });
  });

  serve(app, lift, async ({ params, actor, ip }) => {
    const record = await storage.transaction(async (trx) => {
      const lifted = await liftBan(trx, params.id, now());
      if (lifted === undefined) return undefined;
      return audit.append(trx, {
        action: 'access.lift',
        level: 'info',
        message: `The ban of ${lifted.address} was lifted`,
        actor: actor.email,
        ip,
        target: lifted.id,
        details: { address: lifted.address, until: lifted.ends_at },
      });
    });
    if (record === undefined) return failure('not_found');
    await bans.look();
    audit.announce(record);
    return success(undefined);
  });
}
