import { expect, test } from 'vitest';
import { compilePolicy, inspect } from '../../inspect/index.ts';
import { foldOf } from '../../testing/growth.ts';
import { choices, post } from '../../testing/requests.ts';

const policy = compilePolicy({ securityLevel: 'medium', categories: choices('high') }, { remembers: false });

/** A list of as many values as a body of 128 KB holds, each as long as a condition is looked for in. */
function inList(head: string, rest: string) {
  const values = Array.from(
    { length: 314 },
    (_unused, index) => `${(head + rest.repeat(200)).slice(0, 395)}${index}`,
  );
  return post('application/json', JSON.stringify(values));
}

test.each([
  ['a,a,a,if(1,', 'a,'],
  ['if(1,', 'a,a;'],
  ['if(if(1=1,', 'f(a,1,'],
])('a list of %s costs no more than a few times what a list of other calls does', (head, rest) => {
  const [hostile, calm] = [inList(head, rest), inList(head.replaceAll('if(', 'max('), rest)];
  expect(
    foldOf(
      () => void inspect(policy, hostile),
      () => void inspect(policy, calm),
    ),
  ).toBeLessThan(10);
});
