import { describe, expect, it } from 'vitest';
import { GeneralSettings, SecuritySettings } from '../settings/index.ts';
import { SiteCreate } from '../sites/index.ts';
import { inWords } from './field-words.ts';

describe('fields in words', () => {
  it('are what the console calls them, each once', () => {
    expect(inWords(['rate_limit', 'healthCheck', 'health_check_enabled', 'backend_url'])).toBe(
      'rate limit, health check, upstream URL',
    );
    expect(inWords(['blockSuspiciousIPs', 'require2FA', 'logRetentionDays'])).toBe(
      'block suspicious IPs, require 2FA for all users, log retention days',
    );
  });

  it('leave no name of a program in a line of the history', () => {
    const names = [SiteCreate, GeneralSettings, SecuritySettings].flatMap(({ shape }) => Object.keys(shape));
    expect(names.length).toBeGreaterThan(40);
    for (const name of names) expect(inWords([name])).not.toMatch(/_|[a-z][A-Z]/);
  });
});
