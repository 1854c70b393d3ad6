import { modes, type SecurityLevel, securityLevels, sensitivities } from '@portcullis/contract/vocabulary';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ask,
  type HttpUpstream,
  type StartedGateway,
  startGateway,
  startUpstream,
} from '../testing/index.ts';

/** Requests by how much evidence of command injection they hold: found from this sensitivity on. */
const evidence = {
  none: 'plain words',
  low: '; cat /etc/passwd',
  medium: 'ls -la',
  high: 'whoami',
} as const;
const weights = ['none', 'low', 'medium', 'high'] as const;

const hostOf = (...parts: string[]) => `${parts.join('-').replaceAll('_', '-')}.test`;

/** The sensitivity that is in force under a level: the level scales what the category says. */
function inForce(level: SecurityLevel, sensitivity: (typeof sensitivities)[number]) {
  switch (level) {
    case 'off':
      return undefined;
    case 'low':
      return 'low';
    case 'medium':
      return sensitivity;
    case 'high':
    case 'under_attack':
      return 'high';
  }
}

const rows = securityLevels.flatMap((level) =>
  sensitivities.flatMap((sensitivity) => modes.map((mode) => ({ level, sensitivity, mode }))),
);
const answers = {
  block: [403, 'request_blocked'],
  challenge: [403, 'challenge_required'],
  log: [200, undefined],
} as const;

describe('security level × sensitivity × mode', () => {
  let upstream: HttpUpstream;
  let gateway: StartedGateway;
  let asked = 0;

  beforeAll(async () => {
    upstream = await startUpstream();
    const site = { backend_url: upstream.url };
    gateway = await startGateway({
      security: { blockSuspiciousIPs: false },
      sites: [
        ...rows.map(({ level, sensitivity, mode }) => ({
          ...site,
          id: hostOf(level, sensitivity, mode),
          domains: [hostOf(level, sensitivity, mode)],
          security_level: level,
          protection_config: { command_injection: { enabled: true, sensitivity, mode } },
          // Under attack everybody is asked before categories are; what they say then is asked of exempt paths.
          bot_protection: { exempt_paths: ['/'] },
        })),
        { ...site, domains: ['besieged.test'], security_level: 'under_attack' as const },
      ],
    });
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await upstream[Symbol.asyncDispose]();
  });

  const send = async (host: string, weight: keyof typeof evidence) => {
    asked++;
    const path = `/?q=${encodeURIComponent(evidence[weight])}`;
    const answer = await ask(gateway.port, path, { headers: { Host: host, Accept: 'application/json' } });
    return [answer.status, answer.status === 200 ? undefined : JSON.parse(answer.body).code];
  };

  test.each(rows)('$level, $sensitivity, $mode', async ({ level, sensitivity, mode }) => {
    const effective = inForce(level, sensitivity);
    const host = hostOf(level, sensitivity, mode);
    for (const weight of weights) {
      const found =
        effective !== undefined && weight !== 'none' && weights.indexOf(weight) <= weights.indexOf(effective);
      expect([weight, ...(await send(host, weight))]).toEqual([
        weight,
        ...(found ? answers[mode] : answers.log),
      ]);
    }
    if (mode === 'log' && effective !== undefined) {
      const event = await gateway.sink.event((one) => one.siteId === host);
      expect(event).toMatchObject({ decision: 'log', category: 'command_injection', status: 200 });
    }
  });

  test.each(weights)('under attack whoever has no pass is asked first: evidence %s', async (weight) => {
    expect(await send('besieged.test', weight)).toEqual(answers.challenge);
  });

  test('every case of the table ran', () => {
    expect([rows.length, asked]).toEqual([45, 45 * 4 + 4]);
  });
});
