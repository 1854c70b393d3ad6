import { describe, expect, test } from 'vitest';
import { policyOf } from '../../../../../benchmarks/traffic/policies.ts';
import { inspect } from '../../index.ts';
import { post, request } from '../../testing/requests.ts';

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
    'filters[status][$ne]=cancelled&filters[author][name][$ne]=bob',
    'filters[deletedAt][$exists]=false',
    'roomId[$ne]=5&room_id[$in][]=2&id[$in][]=7',
    'read[$ne]=true&state[$nin][]=closed&state[$nin][]=draft',
    'where={"score":{"$gte":10},"playerName":{"$regex":"^Anna","$options":"i"}}',
    'filter={"$and":[{"city":{"$ne":"Rome"}}]}',
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
    'id[$ne]=1',
    '_id[$nin][]=1',
    'userId[$ne]=1',
    'search[$ne]=x',
    'filters[resetToken][$ne]=x',
    'filters[status][$where]=sleep(1)',
    'status[$regex]=.*',
    'status[$ne]=x&user[$ne]=x',
    'where={"password":{"$regex":"^a"}}',
    'where={"name":{"$where":"sleep(1)"}}',
    'name={"x":{"$ne":1}}',
  ])('blocks what asks who somebody is or breaks a condition: %s', (query) => {
    expect(decided(query)).toBe('block');
  });
});

describe('filters of MongoDB in JSON', () => {
  const sent = (body: string) => inspect(policy, post('application/json', body)).decision;

  test.each([
    '{"filter":{"status":{"$in":["open"]},"deleted":{"$ne":true}},"sort":{"createdAt":-1}}',
    '{"selector":{"$and":[{"type":"invoice"},{"customer":{"$regex":"(?i)^m"}}]}}',
    '{"isArchived":{"$ne":true}}',
  ])('passes one under the name of a filter, or on a state: %s', (body) => {
    expect(sent(body)).toBe('pass');
  });

  test.each([
    '{"username":{"$ne":null},"status":{"$ne":"x"}}',
    '{"filter":{"email":{"$ne":""}}}',
    '{"selector":{"apiKey":{"$regex":"^a"}}}',
    '{"name":{"$ne":1}}',
    '{"where":{"status":{"$where":"1"}}}',
  ])('blocks what asks who somebody is, or breaks a condition: %s', (body) => {
    expect(sent(body)).toBe('block');
  });
});
