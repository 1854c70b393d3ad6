import { expect, test } from 'vitest';
import { policyOf } from '../../../../../benchmarks/traffic/policies.ts';
import { inspect } from '../../inspect/index.ts';
import { query } from '../../testing/requests.ts';

const asked = (text: string, name: string) => inspect(policyOf('medium'), query(text, name)).decision;

const queries = [
  "SELECT Id, Name FROM Account WHERE Industry = 'Technology' LIMIT 10",
  'SELECT Id,Email,Account.Name FROM Contact WHERE LastModifiedDate > LAST_N_DAYS:30 ORDER BY LastName',
  "SELECT Id, (SELECT LastName FROM Contacts) FROM Account WHERE Name LIKE 'A%' AND CreatedDate = THIS_MONTH",
  'SELECT COUNT() FROM Lead',
  "SELECT StageName, SUM(Amount) total FROM Opportunity WHERE OwnerId IN ('005A','005B') GROUP BY StageName",
  'SELECT Id, Budget__c FROM Project__c ORDER BY Budget__c DESC NULLS LAST LIMIT 5',
];

test.each(queries)('a query of Salesforce passes where it takes one, and nowhere else: %s', (text) => {
  expect(['q', 'soql', 'query'].map((name) => asked(text, name))).toEqual(['pass', 'pass', 'pass']);
  expect(['id', 'name', 's', 'search'].map((name) => asked(text, name))).toEqual([
    'block',
    'block',
    'block',
    'block',
  ]);
});

test.each([
  'SELECT Id, Name FROM users',
  'SELECT Id, Password FROM Account WHERE Id = 1',
  'SELECT Id, ResetToken__c FROM Contact',
  "SELECT Id FROM Account WHERE Name = 'a' UNION SELECT password FROM users",
  "SELECT Id FROM Account WHERE Name = 'a' OR 1=1",
  'SELECT Id FROM Account; DROP TABLE users',
  'SELECT Id FROM Account-- ',
  'SELECT sleep(5) FROM Account',
  'SELECT Id FROM Account WHERE Name = sleep(5)',
  'SELECT Id, (SELECT password FROM users) FROM Account',
  'SELECT Id, (SELECT login FROM users) FROM Account',
  'SELECT * FROM Account',
  'SELECT Id/**/,Name/**/FROM/**/Account/**/WHERE/**/Id=1',
  "SELECT Id FROM Account WHERE Id = '1' AND SLEEP(5) = 0",
  "SELECT Id FROM Account' OR '1'='1",
])('what only looks like one is blocked: %s', (text) => {
  expect(asked(text, 'q')).toBe('block');
});
