/** What the names of fields do not say as they are, in the words of the console. */
const words: Readonly<Record<string, string>> = {
  backend_url: 'upstream URL',
  cors: 'CORS',
  corsEnabled: 'CORS',
  health_check_enabled: 'health check',
  protection_config: 'protection',
  require2FA: '2FA for all users',
  slack: 'Slack',
  ssl: 'SSL',
  upstream: 'further upstreams',
};

function wordsOf(field: string): string {
  return (
    words[field] ??
    field
      .replaceAll('_', ' ')
      .replaceAll(/(?<=[a-z0-9])(?=[A-Z]{2})/g, ' ')
      .replaceAll(/(?<=[a-z0-9])([A-Z])(?=[a-z])/g, (letter) => ` ${letter.toLowerCase()}`)
  );
}

/** Names fields to a person: `rate_limit` and `healthCheckInterval` are `rate limit, health check interval`. */
export function inWords(fields: readonly string[]): string {
  return [...new Set(fields.map(wordsOf))].join(', ');
}
