import { describe, expect, test } from 'vitest';
import { policyOf } from '../../../../../benchmarks/traffic/policies.ts';
import { inspect } from '../../index.ts';
import { request } from '../../testing/requests.ts';

const policy = policyOf('medium');
const decided = (query: string) => inspect(policy, request({ target: `/list?${query}` })).decision;

describe('filters of MongoDB in names of parameters', () => {
  test.each([
    'filter[published-at][$gte]=2024-01-01&filter[published-at][$lt]=2024-02-01',
    'filters[author][name][$eq]=Mia',
    'filters[category][slug][$eq]=shoes&filters[price][$between][0]=10&filters[price][$between][1]=20',
    'filters[tags][name][$in][0]=a&filters[tags][name][$in][1]=b',
    'filters[$or][0][date][$eq]=2024-01-01&filters[$or][1][date][$eq]=2024-01-02',
    'createdAt[$gte]=2024-01-01&createdAt[$lt]=2024-02-01',
    'price[$lte]=100&rating[$gte]=4',
    'start_date[$gte]=2024-05-01',
  ])('passes a range over a quantity, or a filter that says it is one: %s', (query) => {
    expect(decided(query)).toBe('pass');
  });

  test.each([
    'username[$ne]=1',
    'user[$gt]=&pass[$gt]=',
    'filter[email][$ne]=x',
    'filters[password][$containsi]=a',
    'filters[author][resetToken][$startsWith]=a',
    'where[token][$gt]=0',
    'resetToken[$gt]=',
    'filter[$where]=sleep(1000)',
    'filters[role][$in][0]=admin',
    'authorization[$gte]=a',
    'coat[$ne]=1',
  ])('blocks what asks who somebody is or breaks a condition: %s', (query) => {
    expect(decided(query)).toBe('block');
  });
});
