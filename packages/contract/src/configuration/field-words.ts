/** What the names of fields do not say as they are, in the words of the console's forms. */
const words: Readonly<Record<string, string>> = {
  autoCert: 'automatic certificate',
  backend_url: 'upstream URL',
  banAfterBlocks: 'blocks before a ban',
  ca: 'authorities',
  challenge_mode: 'challenge',
  corsEnabled: 'CORS',
  createdAt: 'added at',
  expires_at: 'ends',
  failure_modes: 'uninspected',
  health_check_enabled: 'health check',
  healthChecksEnabled: 'automatic health checks',
  historyRetentionDays: 'configuration history days',
  historyKeptVersions: 'versions kept in any case',
  keepAliveTimeout: 'keep-alive timeout',
  logRetentionGigabytes: 'log size',
  logs: 'log what it lets pass',
  maxConcurrentPerClient: 'requests at once per client',
  maxConnections: 'max concurrent connections',
  minPasswordLength: 'minimum password length',
  origin_policy: 'origins',
  proxyProtocol: 'PROXY protocol',
  protection_config: 'protection',
  rateLimitEnabled: 'rate limiting',
  redirect: 'redirect HTTP to HTTPS',
  require2FA: 'require 2FA for all users',
  requireSpecialChars: 'require special characters',
  requireUppercase: 'require uppercase letters',
  response_inspection: 'responses',
  response_mode: 'block response',
  rule_id: 'rule',
  siteId: 'site',
  signingKey: 'signing key',
  slack: 'Slack',
  templateId: 'template',
  temporary: 'addresses with an end',
  upstream: 'upstreams',
  verified_bots_allowed: 'let verified bots pass',
  verify_tls: 'verify certificates',
};

/** Words that are written in capitals wherever they stand. */
const capitals = /\b(?:api|cors|hsts|id|ip|smtp|ssl|tls|url)\b/g;

/** Names one field to a person, as the console's forms call it: `rate_limit` is `rate limit`. */
export function fieldInWords(field: string): string {
  return (
    words[field] ??
    field
      .replaceAll('_', ' ')
      .replaceAll(/(?<=[a-z0-9])(?=[A-Z]{2})/g, ' ')
      .replaceAll(/(?<=[a-z0-9])([A-Z])(?=[a-z])/g, (letter) => ` ${letter.toLowerCase()}`)
      .replaceAll(capitals, (word) => word.toUpperCase())
  );
}

/** Names fields to a person, each once: `rate_limit` and `healthCheckInterval` are `rate limit, health check interval`. */
export function inWords(fields: readonly string[]): string {
  return [...new Set(fields.map(fieldInWords))].join(', ');
}
