import { expect, it } from 'vitest';
import { messages } from '../../lib/messages/index.ts';
import { fieldLabel } from './field-label.ts';

it('reads a path of fields as the forms name them', () => {
  expect(fieldLabel('rate_limit.refill_interval')).toBe('Rate limit › refill interval');
  expect(fieldLabel('cors.allowed_origins')).toBe('CORS › allowed origins');
  expect(fieldLabel('protection_config.xss.mode')).toBe('Protection › Cross-site scripting › mode');
  expect(fieldLabel('rules.1.value')).toBe('Rules › 1 › value');
});

it('has the very labels of the forms where they name a field alone', () => {
  const { sites, settings } = messages;
  const labels = {
    backend_url: sites.form.upstream,
    upstream: sites.form.upstreams,
    security_level: sites.form.securityLevel,
    response_mode: sites.form.responseMode,
    rate_limit: sites.form.rateLimit,
    bot_protection: sites.form.botProtection,
    protection_config: sites.form.protectionShort,
    response_inspection: sites.form.answers,
    failure_modes: sites.form.failures,
    access_log: sites.form.accessLog,
    cors: sites.form.cors,
    ssl: sites.form.ssl,
    require2FA: settings.security.require2fa,
    requireUppercase: settings.security.requireUppercase,
    requireSpecialChars: settings.security.requireSpecial,
    minPasswordLength: settings.security.minLength,
    blockSuspiciousIPs: settings.security.blockSuspicious,
    banAfterBlocks: settings.security.banAfter,
    maxConcurrentPerClient: settings.security.concurrent,
    maxConnections: settings.general.maxConnections,
    historyKeptVersions: settings.general.historyKept,
  };
  const read = Object.keys(labels).map((field) => [field, fieldLabel(field)]);
  expect(Object.fromEntries(read)).toEqual(labels);
});
