import { expect, test } from 'vitest';
import { compilePolicy, inspect } from './inspect/index.ts';
import { compileCustomRule } from './rules/index.ts';
import { compilePcre, translatePcre } from './seclang/regex/index.ts';
import { takesLonger } from './testing/growth.ts';
import { type HostileText, hostileTextsOf } from './testing/pumps.ts';
import { post } from './testing/requests.ts';

/** As operators write them: copied from answers to questions, from rule sets, or put together in a hurry. */
const ofOperators: readonly string[] = [
  // addresses, paths and names
  '^/wp-(?:admin|login|content/.*\\.php)',
  '^/(?:[\\w-]+/)*admin(?:/[\\w-]+)*/?$',
  '(?:/[^/]*)*\\.(?:php|aspx?|jsp)$',
  '^(/\\w+)+/?$',
  '(.*/)*\\.env$',
  '^.*\\.\\..*/.*$',
  '^https?://([\\w-]+\\.)+[\\w-]+(/[\\w ./?%&=-]*)?$',
  '^(([a-z0-9]+-)*[a-z0-9]+\\.)+[a-z]{2,}$',
  '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$',
  '^[\\w.+-]+@[\\w-]+(\\.[\\w-]+)+$',
  '(\\d{1,3}\\.){3}\\d{1,3}(:\\d+)?',
  '^((25[0-5]|2[0-4]\\d|1?\\d?\\d)\\.?){4}$',
  '([0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}',
  // numbers, dates, tokens
  '^(\\d+,?)+$',
  '^-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?$',
  '^(0|[1-9]\\d*)*$',
  '^\\d{4}-\\d{2}-\\d{2}([ T]\\d{2}:\\d{2}(:\\d{2})?)?$',
  '(?:\\d[ -]*?){13,16}',
  '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
  'eyJ[\\w-]+\\.eyJ[\\w-]+\\.[\\w-]*',
  '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  // words and white space
  '^(\\w+\\s?)*$',
  '\\s+$',
  '^\\s+|\\s+$',
  '\\s*=\\s*\\s*\\w',
  '(\\s|&nbsp;|\\xa0)*script',
  '([^\\s]+\\s*)+!',
  '(buy|cheap|free)(\\W+\\w+){0,20}\\W+(now|here|online)',
  '(?:viagra|casino).*(?:http|www).*(?:http|www).*(?:http|www)',
  // attacks
  'union.+select.+from.+where',
  '[\'"].*(?:or|and).*=.*(?:--|#|/\\*)',
  "(\\%27)|(\\')|(--[^\\r\\n]*)|(;%00)",
  "\\w*(\\%27|')(\\s|\\+|\\%20)*(\\%6F|o|\\%4F)(\\%72|r|\\%52)",
  '(?:select|;)\\s+(?:benchmark|if|sleep)\\s*?\\(\\s*?\\(?\\s*?\\w+',
  '<[^>]*script[^>]*>.*</[^>]*script[^>]*>',
  '<(?:[^>\'"]|\'[^\']*\'|"[^"]*")*on\\w+\\s*=',
  '(<!--.*?-->)*<.*>',
  '((\\%3C)|<)[^\\n]+((\\%3E)|>)',
  'on(?:\\w+)\\s*=.*\\(.*\\)',
  '(?:;|\\||&|`|\\$\\().*(?:cat|wget|curl|nc)\\s+.*',
  '(?:\\$\\{.*)+(?:jndi|lower|upper).*:.*\\}',
  '\\{\\{.*\\}\\}|\\{%.*%\\}',
  '(?:O|C):\\d+:"[^"]*":\\d+:\\{.*\\}',
  '(a+)+$',
  '^(a|a|a)*b',
  '(x+x+)+y',
  '((a*)*b?)*c',
  '(.*,){12}P',
  // clients
  '^(?:curl|wget|python-requests|Go-http-client)/[\\d.]+',
  'Mozilla/\\d\\.\\d \\(.*(?:MSIE|Trident).*\\).*',
  '(?:bot|crawl|spider)[^a-z]*(?:\\s*\\S*)*\\+http',
];

/** What only SecLang takes, in PCRE. */
const ofRuleFiles: readonly string[] = [
  '(?=.*\\d)(?=.*[a-z])(?=.*[A-Z]).{8,}$',
  '^(?!.*(?:google|bing)).*bot.*$',
  '(?<!\\w)(?:or|and)\\s+(\\w+)\\s*=\\s*\\1',
  '([\'"]).*\\1.*\\1\\s*--',
  '(?>\\w+\\s?)+!',
  '(?:\\w++\\s?)*+;',
  '(.+)\\1+$',
  '(?i)(.+)\\1;',
  '(?:(?=(\\w+))\\1\\s?)+$x',
  '(?<=\\d{3})(\\w+\\s*)+=',
];

/** Milliseconds of CPU: ten times what the bound on steps takes with a text of 128 KB. */
const most = 1000;

const cases = [4096, 131_072].flatMap((size) => [1, 2, 3, 4].map((seed) => [seed, size] as const));

/** Texts of 4 and 128 KB that would keep a backtracking matcher busy with a pattern. */
function hostileTo(pattern: RegExp): readonly HostileText[] {
  const make = hostileTextsOf(pattern);
  return make ? cases.map(([seed, size]) => make(seed, size)) : [];
}

test('there are many of them', () => {
  expect(ofOperators.length).toBeGreaterThanOrEqual(50);
  expect(ofOperators.flatMap((value) => hostileTo(new RegExp(value))).length).toBeGreaterThan(350);
});

test.each(ofOperators)('a rule of an operator with %s holds no request up', (value) => {
  const compiled = compileCustomRule({
    id: 'rule_1',
    name: 'Mine',
    conditions: { operator: 'AND', rules: [{ field: 'body', operator: 'regex', value }] },
    action: 'block',
    severity: 'high',
  });
  if (!compiled.ok) throw new Error(compiled.issues[0]?.message);
  const policy = compilePolicy({ securityLevel: 'low', categories: {}, customRules: [compiled.rule] });
  const holdsUp = ({ text }: HostileText) => {
    const sent = post('text/plain', text);
    return takesLonger(most, () => void inspect(policy, sent));
  };
  expect(hostileTo(new RegExp(value)).find(holdsUp)?.told).toBeUndefined();
});

test.each([...ofOperators, ...ofRuleFiles])('a rule of SecLang with %s holds no text up', (value) => {
  const [compiled, translated] = [compilePcre(value), translatePcre(value)];
  if (!compiled.ok || !translated.ok) throw new Error('refused');
  const gaveUp: string[] = [];
  const holdsUp = ({ text, told }: HostileText) => {
    const meter = { patternGaveUp: () => gaveUp.push(told) };
    return takesLonger(most, () => void compiled.pattern.exec(text, meter));
  };
  expect(hostileTo(translated.pattern.regex).find(holdsUp)?.told).toBeUndefined();
  // Only what looks around or refers back has no memory of where it failed.
  if (ofOperators.includes(value)) expect(gaveUp).toEqual([]);
});
