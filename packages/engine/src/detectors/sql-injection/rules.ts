import type { Part } from '../../parse/index.ts';
import type { Rule } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import {
  anywhere,
  argumentParts,
  askedOfModels,
  bodyParts,
  detectRule,
  headParts,
  patternRule,
  turnsOfTalk,
} from '../define.ts';
import { besideSearches, besideTexts, besideWords } from '../text-fields.ts';
import { castDetector } from './casts.ts';
import { sqlConditionDetector, sqlStatementDetector } from './detector.ts';
import type { SqlFinding } from './findings.ts';
import { nosqlBreakoutRules } from './nosql-breakouts.ts';
import { settingDetector } from './settings.ts';
import { shortValueRules } from './short-values.ts';
import { conditionStructures } from './structures.ts';
import { besideObjectQueries, wholeChangeRules } from './whole-changes.ts';

const category = 'sql_injection' as const;

/** Titles of books and songs stand there too. What signs somebody in is no such name: `Admin' or id-- ` opens a door. */
const namesOfPeople = /(?:^|[._[-])(?:first|last|full|nick|display|given|family|company)?_?name\]?$/i;

/** What an error tracker is told (Sentry): the words of a database, and the variables of the function that asked it. */
const toldErrors = /(?:^|\.)exception\.values\.\d{1,3}\.(?:value$|stacktrace\.frames\.\d{1,4}\.vars\.)/;
/** Besides, the turns of a talk with a language model: people ask what `' or 1=1` does. A statement is judged there too. */
const toldConditions = new RegExp(`${toldErrors.source}|${turnsOfTalk.source}`);

function structure(
  id: string,
  finding: SqlFinding,
  message: string,
  more: Partial<Pick<Rule, 'score' | 'sensitivity' | 'targets'>> & { readonly parts?: readonly Part[] } = {},
): Rule {
  const isCondition =
    finding === 'operator among words' || conditionStructures.some(({ kind }) => kind === finding);
  return detectRule({
    id: `sql-${id}`,
    category,
    finding,
    message,
    detector: isCondition ? sqlConditionDetector : sqlStatementDetector,
    targets: (more.parts ?? anywhere).map((part) => ({
      part,
      ...(part === 'json' && { notPath: isCondition ? toldConditions : toldErrors }),
    })),
    ...more,
  });
}

/** A path in which nothing tells who somebody is. */
const ofNobody = verbose('i')`
  (?!
    .*(?:
      user|login|mail|pass|pwd|secret|token|auth(?!ors?(?![a-z]))|otp|code|(?<![a-z])p(?:in|w)(?![a-z])
      |key(?!words?(?![a-z]))|hash|role|admin
    )
  )
`;
const stateName =
  /(?:status|state|type|kind|category|read|seen|archived|deleted|active|published|enabled|visible|hidden|draft|completed|priority)/i;

/**
 * Ranges over fields that say nothing of who somebody is: `{ score: { $gte: 1000 } }` is how some interfaces filter.
 * `{ password: { $gt: "" } }` is how they are broken. Inequality and patterns stand under the name of a filter (Mango,
 * Atlas, Parse), or at a field that holds a state and nobody's name: `deleted: { $ne: true }`.
 */
const comparedField = verbose('i')`
  ^${ofNobody}(?:
    .*\.\$(?:gte?|lte?|n?in|or|and|not|all|size|elemmatch)
    |(?:\w{1,40}\.)?(?:filters?|where|selector|criteria|conditions)\.(?:\$(?:and|or)\.\d{1,3}\.)?[^$]{1,80}\.\$
      (?:
        n?eq?|regex|options|exists
      )
    |(?:[^$]{1,80}\.)?(?:is)?${stateName}\.\$n?eq?
  )$
`;
/** The same in a query, where only a filter of several levels is one: `filters[views][$gt]`, `where={"score":{"$gte":1}}`. */
const filteredField = verbose('i')`
  ^${ofNobody}(?:
    [^.$]{1,40}\.[^$]{1,80}\.\$(?:gte?|lte?|n?in|or|and|not|all|size)
    |(?:filters?|where|selector|criteria|conditions)\.(?:
        \$(?:and|or)
        |(?:\$(?:and|or)\.\d{1,3}\.)?[^$]{1,80}\.\$(?:n?eq?|regex|options|exists)
      )
    |\w{1,40}(?:\[\$(?:or|and)\]|\[[\w.-]{1,60}\]){1,9}(?:\[\$(?:gte?|lte?)\])?
    |(?:filters?|where)(?:\[\$(?:or|and)\]\[\d{1,3}\])?(?:\[[\w.-]{1,60}\]){1,6}\[\$(?:
        n?eq?i?|(?:not)?containsi?|startswithi?|endswithi?|n?in|(?:not)?null|between|exists
      )\](?:\[\d{0,3}\])?
    |(?:[\w-]{0,40}id\[\$in\]|[\w-]{2,40}id\[\$(?:ne|nin)\])(?:\[\d{0,3}\])?
    |(?:is_?)?${stateName}\[\$(?:n?eq?|n?in)\](?:\[\d{0,3}\])?
    |(?:
        [\w.-]{0,40}(?:At|On)
        |(?:[\w.-]{0,40}[._-])?(?:
            at|date|time|timestamp|price|amount|total|count|score|size|year|age|qty|quantity|stock|views|rating
            |weight|height|width|length|distance|duration|level|balance
          )
      )\[\$(?:gte?|lte?)\]
    |(?:filters?|where|q|query)\[\$(?:or|and)\]\[\d{1,3}\](?:\[\w{1,40}\]){1,4}\[\$(?:
        eqi?|(?:not)?containsi?|startswithi?|endswithi?
      )\]
    |\w{0,40}\[?\$(?:or|and)\]?\[\d{1,3}\](?:\[\w{1,40}\]){1,4}
  )$
`;

/** SQL injection by structure, then what structure can't see, then NoSQL. */
export const sqlInjectionRules: readonly Rule[] = [
  structure('union', 'union select', 'UNION SELECT joins a second query'),
  structure('subquery', 'subquery', 'A SELECT in parentheses'),
  structure('statement', 'statement', 'A SQL statement behind what ends another one'),
  structure('lone-statement', 'lone statement', 'A whole SQL statement as a value', { parts: headParts }),
  structure('object-query', 'object query', 'A query of SOQL, where Salesforce is not asked one', {
    targets: besideObjectQueries,
  }),
  structure('lone-statement-sent', 'lone statement', 'A whole SQL statement in a body, as people send code', {
    parts: bodyParts,
    score: 2,
  }),
  ...wholeChangeRules,
  structure('whole-query', 'whole query', 'A query as the whole value', { sensitivity: 'medium' }),
  structure('bare-statement', 'bare statement', 'SELECT … FROM …, which may be prose', {
    score: 2,
    sensitivity: 'high',
    parts: headParts,
  }),
  structure('stacked', 'stacked statement', 'A second statement after a semicolon', {
    // `…;` and a line that begins with `exec(`: programs of many languages
    targets: anywhere.map((part) => ({ part, ...(part === 'json' && { notPath: askedOfModels }) })),
  }),
  structure('function', 'dangerous function', 'A function that waits, reads files or makes errors speak'),
  structure('catalogue', 'system catalogue', 'A system catalogue or server variable'),
  structure('tautology', 'tautology', 'A condition that is always true or false'),
  structure('condition', 'condition', 'A condition after a number', { sensitivity: 'medium' }),
  structure('named-condition', 'named condition', 'A name behind OR and a comment, where nobody writes', {
    targets: besideWords(anywhere, namesOfPeople),
  }),
  structure(
    'operator-among-words',
    'operator among words',
    'An operator in quotes, where nobody writes about one',
    {
      targets: besideSearches(anywhere),
    },
  ),
  structure('comment-end', 'comment ends statement', 'A quote followed by a comment that swallows the rest'),
  structure('clause', 'clause after value', 'ORDER BY, LIMIT or INTO after a value'),
  structure('case', 'case expression', 'CASE WHEN … THEN'),
  structure('conditional-comment', 'conditional comment', 'A keyword in a comment that MySQL executes'),
  structure('file', 'file access', 'Reading or writing files through SQL'),
  structure('concatenation', 'concatenated breakout', 'A quote, then a query or call joined to the string'),
  structure('lone-concatenation', 'lone concatenation', 'Two quoted strings joined', {
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'sql-copy-program',
    category,
    message: 'COPY that runs a program (PostgreSQL)',
    pattern: /\bcopy\b[^\n]{1,200}\b(?:to|from)\s{1,9}program\b/i,
  }),
  patternRule({
    id: 'sql-split-word',
    category,
    message: 'UNION or SELECT in two halves, which a filter that takes out comments or words would join',
    pattern: verbose('i')`
      \b(?:
        u\/\*\*\/nion|un\/\*\*\/ion|uni\/\*\*\/on|unio\/\*\*\/n|s\/\*\*\/elect|se\/\*\*\/lect|sel\/\*\*\/ect
        |sele\/\*\*\/ct|selec\/\*\*\/t|uunionnion|ununionion|uniunionon|uniounionn|sselectelect|seselectlect
        |selselectect|seleselectct|selecselectt
      )\b
    `,
  }),
  patternRule({
    id: 'sql-json-contains',
    category,
    message: 'A test of PostgreSQL whether JSON or a list is part of another',
    targets: besideTexts(anywhere),
    pattern: /(?:\b(?:and|or)\b|['")\]])[^'"]{0,40}[\w)'"\]]\s?(?:@>|<@)\s?'\s{0,3}[[{"]/i,
  }),
  patternRule({
    id: 'sql-analyse',
    category,
    message: 'PROCEDURE ANALYSE, which MySQL allows where a query ends',
    pattern: /\bprocedure\s{1,9}analyse\s{0,9}\(/i,
  }),
  patternRule({
    id: 'nosql-operator-name',
    category,
    message: 'A NoSQL query operator where a field name belongs',
    targets: argumentParts.map((part) => ({
      part,
      of: 'names' as const,
      notPath: part === 'json' ? comparedField : filteredField,
    })),
    pattern: verbose('i')`
      (?:^|[[.])\$(?:
        where|n?eq|ne|gte?|lte?|n?in|regex|exists|expr|func(?:tion)?|accumulator|elemmatch|jsonschema|lookup|mod
        |text|or|and|nor|not|all|size
      )(?:[\].]|$)
    `,
  }),
  patternRule({
    id: 'nosql-secret-guess',
    category,
    message: 'A filter that asks for a part of a secret',
    targets: (['query', 'form'] as const).map((part) => ({
      part,
      of: 'names' as const,
      path: /pass(?:word|wd)?|pwd|secret|token|otp|hash/i,
    })),
    pattern: /\[\$(?:(?:not)?contains|startswith|endswith|i?like)i?\]/i,
  }),
  patternRule({
    id: 'nosql-range',
    category,
    message: 'A NoSQL comparison in JSON, which some interfaces offer',
    score: 2,
    sensitivity: 'high',
    targets: [{ part: 'json', of: 'names', path: comparedField }],
    pattern: /^\$/,
  }),
  patternRule({
    id: 'sql-cypher',
    category,
    message: 'A clause of Cypher, the query language of graph databases',
    pattern: verbose('i')`
      \bdetach\s{1,9}delete\s{1,9}\w
      |\bload\s{1,9}csv\s{1,9}(?:with\s{1,9}headers\s{1,9})?from\b
      |\bcall\s{1,9}(?:db|dbms|apoc)\.\w{2,30}(?:\.\w{1,30}){0,3}\s{0,9}\(
      |\breturn\s{1,9}\w{1,20}\s{1,9}union\s{1,9}(?:all\s{1,9})?match\s{0,9}\(
    `,
  }),
  patternRule({
    id: 'nosql-search-parser',
    category,
    message: 'A Solr parser or import written into a query',
    pattern:
      /\{!\s{0,9}(?:xmlparser|dataimport|join\s|func\b|surround|rerank)|_query_\s{0,9}:\s{0,9}["']?\{!/i,
  }),
  patternRule({
    id: 'sql-joined-number',
    category,
    message: 'A number in brackets joined to a string on either side',
    pattern:
      /^[\w.@-]{0,20}(['"])\s?(?:\|\||&&|[\^*/%&|+-]|div|mod)\s?\(\s?\d{1,6}\s?\)\s?(?:\|\||&&|[\^*/%&|+-]|div|mod)\s?\1/i,
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'sql-breakout-alone',
    category,
    message: 'A quote, and a condition or a clause that is a whole value with it',
    pattern: verbose('i')`
      ^\w{0,20}['"]\s{0,3}(?:or|and)\s{0,3}(?:
        ''\s?[-&^*|+/%\s]\s?'$
        |\(\s?exists\b
        |select\s{1,3}[*@(\d]
      )
      |^[\s;)]{0,3}--\s?sp_password\b
      |^[\s)]{0,3}(?:or|and)\s{1,3}(?:true|false|null)\s{0,3}(?:--|#)
      |^[\s)]{0,3}having\s{1,3}\d{1,6}\s?[=<>]{1,2}\s?\d{1,6}\s{0,3}(?:$|--|#)
      # another column of what is stored
      |^[^'"\n]{0,60}'\s{0,3}(?:,\s{0,3}\w{1,40}\s{0,3}=\s{0,3}(?:\d{1,9}|'[^'\n]{0,40}')\s{0,3}){1,6},\s{0,3}\w{1,40}='$
    `,
    sensitivity: 'medium',
  }),
  ...shortValueRules,
  ...nosqlBreakoutRules,
  patternRule({
    id: 'sql-decided',
    category,
    message: 'A statement that two numbers decide on',
    pattern: verbose('i')`
      \bif\s{0,9}\(\s{0,9}\d{1,9}\s{0,9}[=<>]{1,2}\s{0,9}\d{1,9}\s{0,9}\)\s{0,9}(?:select|waitfor|drop|exec|declare)\b
      |\belt\s{0,3}\(\s{0,3}\d{1,3}\s{0,3}\+
      |\bifnull\s{0,3}\(\s{0,3}nullif\s{0,3}\(
      |\d\s{0,3}\/\s{0,3}(?:nullif|ifnull|elt|iif)\s{0,3}\(
      |\bgroup\s{1,9}by\s{1,9}concat\s{0,3}\(
      # MySQL takes '1.e' for a number
      |\b\d{1,3}\.e\((?:0x|'|"|select\b|[a-z]{3,20}\()
    `,
  }),
  patternRule({
    id: 'sql-typed-truth',
    category,
    message: 'A condition that holds, written with the name of a type as PostgreSQL takes it',
    pattern: verbose('i')`
      (?:\bor|\band|\|\||&&)\s{1,9}(?:not\s{1,9}){0,3}\(?\s{0,3}(?:
        bool(?:ean)?\s{0,3}'(?:t|true|f|false|y|yes|n|no|on|off|1|0)'
        |(?:true|false|null|'(?:t|true|f|false|y|yes|n|no|on|off|1|0)')\s{0,3}::\s{0,3}bool(?:ean)?\b
      )
    `,
  }),
  patternRule({
    id: 'sql-cast',
    category,
    message: 'A cast of PostgreSQL behind a quoted value',
    // no address of IPv6 goes on with such a word
    pattern:
      /(?:['"]|(?<![\w:.])\d{1,6})\s{0,3}::(?:jsonb?|int[248]?|integer|text|varchar|numeric|regclass|bool(?:ean)?)\b/i,
    sensitivity: 'medium',
  }),
  detectRule({
    id: 'sql-cast-group',
    category,
    message: 'What a group or call computes, cast as PostgreSQL does',
    detector: castDetector,
    finding: 'cast group',
    sensitivity: 'medium',
  }),
  detectRule({
    id: 'sql-stacked-setting',
    category,
    message: 'A second statement that sets, uses, tells or runs something',
    detector: settingDetector,
    finding: 'setting',
  }),
  patternRule({
    id: 'sql-quoted-function',
    category,
    message: 'A dangerous function of PostgreSQL by its quoted name, or a name in escapes',
    pattern: verbose('i')`
      "(?:pg_(?:sleep|sleep_for|sleep_until|read_file|read_binary_file|ls_dir)|lo_import|lo_export|query_to_xml|dblink)"\s{0,9}\(
      |\bu&["'][^"'\n]{0,60}\\[0-9a-f]{4}[^"'\n]{0,60}["']
    `,
  }),
  patternRule({
    id: 'sql-swelling',
    category,
    message: 'A string that a database is told to make longer than any text, to keep it busy or make it fail',
    pattern: verbose('i')`
      \bzeroblob\s{0,9}\(
      # Not the whole value: a line of a program or a sheet
      |(?<!^\s{0,3})\brepeat\s{0,9}\(\s{0,9}'[^'\n]{1,40}'\s{0,9},\s{0,9}\d{7,}\s{0,9}\)
      |\bprintf\s{0,9}\(\s{0,9}'%\.\d{7,}c'
      |\babs\s{0,9}\(\s{0,9}-\s{0,3}9223372036854775808
      |(?<!^\s{0,3})\b[lr]pad\s{0,9}\([^(),]{1,20},\s{0,9}\d{6,}
      |\bgenerate_series\s{0,9}\(\s{0,9}\d{1,9}\s{0,9},\s{0,9}\d{6,}\s{0,9}\)
    `,
  }),
  patternRule({
    id: 'sql-cast-result',
    category,
    message: 'The result of a function cast to a number, so that the error tells it',
    pattern: verbose('i')`
      \bcast\s{0,9}\(\s{0,9}\(?\s{0,9}(?:
        chr
        |char
        |concat
        |version
        |current_(?:user|database|schema|setting)
        |session_user
        |user
        |database
        |db_name
        |string_agg
        |array_to_string
        |query_to_xml
        |table_to_xml
      )\s{0,9}\([^;]{0,160}?\bas\s{1,9}(?:int(?:eger)?|numeric|decimal|float|bigint|bool|date)\b
    `,
  }),
  patternRule({
    id: 'nosql-javascript',
    category,
    message: 'JavaScript for a NoSQL $where',
    pattern: verbose('i')`
      # but the variable of an operation in GraphQL: 'query Items($where: items_bool_exp!)'
      (?<!^\s{0,9}(?:query|mutation|subscription)(?:\s{1,9}\w{1,60})?\s{0,9}\(\s{0,9}(?:\$\w{1,40}:[\s\w[\]!]{1,60}(?:,\s{0,9})?){0,12})\$where['"]?\s{0,9}[:=]
      |['"]\s{0,9}(?:\|\||&&)\s{0,9}(?:this\.\w|['"]?1['"]?\s{0,9}={2,3}\s{0,9}['"]?1)
      |\bthis\.\w{1,40}(?:\.match\(|\[\w|\s{0,9}={2,3})
      |(?:[;'"][ \t]{0,9}|function\s{0,3}\(\s{0,3}\)\s{0,3}\{\s{0,9})return\s{1,9}(?:true\b|this\.)
      |^\s{0,9}return\s{1,9}(?:true|this\.\w{1,40})\s{0,9}[;}]
      |['"]\s{0,9};\s{0,9}(?:return|while\s{0,9}\()
      |['"]\s{0,3}(?:\}\s{0,3}\]?\s{0,3}\}?\s{0,3})?,\s{0,3}['"]?\$(?:or|where|comment|nor|expr)['"]?\s{0,3}:
      |^\s{0,3}(?:\|\||&&)\s{0,3}\d{1,4}\s{0,3}={2,3}\s{0,3}\d{1,4}\s{0,3}(?:$|\/\/|;)
      |;\s{0,3}return\s{1,3}1\s{0,3};\s{0,3}db\.
      |\bnew\s{1,9}date\s{0,9}\(\s{0,9}\)\s{0,9};\s{0,9}(?:do\s{0,9}\{|while\s{0,9}\()
      |[;'"})]\s{0,9}db\.\w{1,40}\.(?:find|insert|drop|remove|update)\w{0,10}\(
      |^\s{0,3}db\.\w{1,40}\.(?:insert|drop|remove|update)\w{0,10}\([^\n]{0,80}\)\s{0,3};\s{0,3}$
    `,
  }),
  patternRule({
    id: 'nosql-operator-text',
    category,
    message: 'A NoSQL operator written into a value',
    pattern: verbose('i')`
      ^\[\$(?:n?eq?|gte?|lte?|n?in|regex|exists|where)\]=
      |\{\s{0,9}['"]?\$(?:
          (?:where|ne|n?in|exists|expr|function|or|and)['"]?\s{0,9}:
          |regex['"]?\s{0,9}:(?!\s{0,3}\/)
          |[gl]te?['"]?\s{0,9}:(?!\s{0,3}\d{1,12}\s{0,3}\})
        )
    `,
  }),
];
