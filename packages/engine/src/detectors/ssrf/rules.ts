import type { Part } from '../../parse/index.ts';
import type { Rule } from '../../rules/index.ts';
import { detectRule } from '../define.ts';
import { type SsrfFinding, ssrfDetector } from './detector.ts';

const category = 'ssrf' as const;
const parts: readonly Part[] = ['query', 'form', 'json', 'xml', 'multipart', 'cookie', 'body', 'path'];

function address(
  finding: SsrfFinding,
  message: string,
  more: Partial<Pick<Rule, 'score' | 'sensitivity' | 'severity'>> = {},
): Rule {
  return detectRule({
    id: `ssrf-${finding.replaceAll(' ', '-')}`,
    category,
    finding,
    message,
    detector: ssrfDetector,
    parts,
    ...more,
  });
}

/** Addresses that lead a server into its own network. */
export const ssrfRules: readonly Rule[] = [
  address('metadata', 'The metadata service of a cloud', { severity: 'critical' }),
  address('link-local', 'A link-local address', { sensitivity: 'medium' }),
  address('loopback', 'The server itself', { sensitivity: 'medium' }),
  address('unspecified', 'An address that stands for the server itself', { sensitivity: 'medium' }),
  address('private', 'An address of a private network', { sensitivity: 'medium' }),
  address('odd scheme', 'A scheme that speaks to other services than the web'),
  address('confusing address', 'A host name in the place of a user name', { score: 3, sensitivity: 'high' }),
];
