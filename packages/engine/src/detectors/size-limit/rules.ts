import type { Oddity } from '../../parse/index.ts';
import type { Rule, StructureCheck } from '../../rules/index.ts';
import { structureRule } from '../define.ts';
import { graphqlFlood } from './graphql.ts';

const category = 'size_limit' as const;

function over(oddity: Oddity, target: string): StructureCheck {
  return ({ oddities }) => (oddities.has(oddity) ? { target, value: oddity } : undefined);
}

const maxTargetLength = 8192;

/** Requests larger or deeper than the site's limits, so that nothing passes uninspected beyond them. */
export const sizeLimitRules: readonly Rule[] = [
  structureRule({
    id: 'size-arguments',
    category,
    severity: 'medium',
    message: 'More arguments than the limit',
    check: over('arguments over limit', 'query'),
  }),
  structureRule({
    id: 'size-headers',
    category,
    severity: 'medium',
    message: 'More headers than the limit',
    check: over('headers over limit', 'header'),
  }),
  structureRule({
    id: 'size-parts',
    category,
    severity: 'medium',
    message: 'More parts in a multipart body than the limit',
    check: over('parts over limit', 'multipart'),
  }),
  structureRule({
    id: 'size-depth',
    category,
    severity: 'medium',
    message: 'JSON nested deeper than the limit',
    check: over('depth over limit', 'json'),
  }),
  structureRule({
    id: 'size-body',
    category,
    severity: 'medium',
    message: 'A body longer than the limit, also once decompressed',
    check: over('body over limit', 'body'),
  }),
  structureRule({
    id: 'size-graphql',
    category,
    severity: 'medium',
    sensitivity: 'medium',
    message: 'A GraphQL request that asks for more than clients do',
    check: graphqlFlood,
  }),
  structureRule({
    id: 'size-target',
    category,
    severity: 'medium',
    message: 'A request-target longer than 8 KB',
    check: (_request, { target }) =>
      target.length > maxTargetLength ? { target: 'target', value: target.slice(0, 200) } : undefined,
  }),
];
