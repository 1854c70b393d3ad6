import { z } from 'zod';
import { overlay } from '../patch/index.ts';
import type { Site } from './site.ts';
import { SiteCreate } from './site.ts';

/**
 * A change of a site: fields that are left out keep their value, at every depth. Read as a patch that
 * {@link patchSite} lays over the stored site before the whole is validated.
 */
export const SiteUpdate = z.looseObject({ version: z.number().int().optional() });
export type SiteUpdate = z.infer<typeof SiteUpdate>;

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * @returns the parse of the stored site with the patch over it: success with the whole site's fields, or all
 * issues. `health_check_enabled` and `healthCheck.enabled` come out equal.
 */
export function patchSite(stored: Site, patch: SiteUpdate): z.ZodSafeParseResult<SiteCreate> {
  const merged = overlay(stored as unknown as Json, patch);
  return SiteCreate.safeParse(alignHealthSwitches(merged, patch));
}

/** Two names of one switch: what the client sent counts, `healthCheck.enabled` before the flat one. */
export function alignHealthSwitches(site: Json, sent: Json): Json {
  const nested = isObject(sent.healthCheck) ? sent.healthCheck.enabled : undefined;
  const chosen = nested ?? sent.health_check_enabled;
  if (typeof chosen !== 'boolean') return site;
  const healthCheck = isObject(site.healthCheck) ? site.healthCheck : {};
  return { ...site, health_check_enabled: chosen, healthCheck: { ...healthCheck, enabled: chosen } };
}
