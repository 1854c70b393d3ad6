import type { ApiToken } from '@portcullis/contract/auth';
import { z } from 'zod';
import type { StoredApiToken } from './repository.ts';

const Names = z.array(z.string());
const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString());

/** A token as its owner sees it: never the secret, which is not stored, nor its hash. */
export function presentToken(row: StoredApiToken): ApiToken {
  return {
    id: row.id,
    name: row.name,
    permissions: Names.parse(JSON.parse(row.permissions)),
    prefix: row.prefix,
    created_at: new Date(row.created_at).toISOString(),
    expires_at: iso(row.expires_at),
    last_used: iso(row.last_used_at),
  };
}
