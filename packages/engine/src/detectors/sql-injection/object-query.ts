const token = /[a-z]\w*(?:[.:]\w+)*|\d[\w.:+-]*|'[\w\s.@:%+-]*'|[=<>!]{1,2}|\S/gi;

/** Objects that every organisation of Salesforce has, and those that it made itself. */
const object = new RegExp(
  `^(?:${[
    'account|contact|lead|opportunity|opportunitylineitem|campaign|campaignmember|case|task|event',
    'asset|contract|product2|pricebook2|pricebookentry|contentdocument|contentversion|recordtype',
    '\\w+__(?:c|mdt|e|x|kav|share|history)',
  ].join('|')})$`,
);
/** Their children, which are asked for in brackets. Other databases name their tables so. */
const children =
  /^(?:accounts|contacts|leads|opportunities|opportunitylineitems|campaigns|campaignmembers|cases|tasks|events|assets|contracts|openactivities|\w+__r)$/;
/** What a bracket stands behind: what counts or puts into words, and words of conditions. */
const opens = new Set(
  'in not and or where ( , select count count_distinct sum avg min max format tolabel'.split(' '),
);
/** Words that other databases know, and SOQL does not. */
const foreign = new Set(
  'union intersect except minus into join having case when then exists xor regexp rlike glob between div mod sounds is procedure current_user session_user system_user current_role current_database current_schema current_catalog'.split(
    ' ',
  ),
);
/** What signs somebody in, which an attacker would ask for. */
const secret = /pass|pwd|secret|token|hash|salt|otp|credit|iban|ssn/i;

/**
 * Whether a text is a query of SOQL (Salesforce) and asks for nothing that signs anybody in. It calls no function but those
 * that count, and holds no comment and no second statement: a database that ran it would tell of tables named as objects of
 * Salesforce, and of nothing else. Linear.
 */
export function isObjectQuery(text: string): boolean {
  if (text.length > 4000 || !/^\s?select\s/i.test(text) || secret.test(text)) return false;
  const tokens = Array.from(text.matchAll(token), ([one]) => one.toLowerCase());
  let depth = 0;
  return (
    tokens.includes('from') &&
    tokens.every((one, at) => {
      if (one === '(') depth += 1;
      if (one === ')') depth -= 1;
      const behind = tokens[at + 1] ?? '';
      if (one === 'from') return object.test(behind) || (depth > 0 && children.test(behind));
      return belongs(one, tokens[at - 1] ?? '', behind);
    })
  );
}

function belongs(one: string, before: string, behind: string): boolean {
  if (one === '(') return opens.has(before);
  if (one === ')' || one === ',') return true;
  if (/^[=<>!]/.test(one)) return /^[a-z)]/.test(before) && /^['\w]/.test(behind);
  if (/^['\d]/.test(one)) return /^(?:[=<>!]{1,2}|[(,]|like|limit|offset)$/.test(before);
  return /^[a-z]/.test(one) && !foreign.has(one);
}
