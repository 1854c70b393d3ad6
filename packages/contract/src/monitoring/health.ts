export const healthLabels = ['healthy', 'degraded', 'critical'] as const;
export type HealthLabel = (typeof healthLabels)[number];

/**
 * The health of a site from its figures, where the server gives none.
 * @param uptime percent, missing counts as 100
 * @param errorRate percent, missing counts as 0
 */
export function deriveHealth(uptime = 100, errorRate = 0): HealthLabel {
  if (uptime >= 99 && errorRate < 1) return 'healthy';
  if (uptime >= 95 && errorRate < 5) return 'degraded';
  return 'critical';
}
