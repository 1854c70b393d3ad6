import type { Rule } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import { telling } from '../command-injection/command-fields.ts';
import { anywhere, patternRule } from '../define.ts';
import { besideTexts } from '../text-fields.ts';

const category = 'sql_injection' as const;

/** Of a condition, what parts it from the value before it. */
const behindValue =
  /(?:['"]\s{0,3}(?:\|\||&&|[;,+=])|^-?\d{1,6}\s{0,3}(?:\|\||&&|;))[\s(!]{0,4}(?:return\s|if\s?\()?/;

/** What leaves a string of JavaScript or JSON that an application puts its query together from, and tests for a type. */
export const nosqlBreakoutRules: readonly Rule[] = [
  patternRule({
    id: 'nosql-where-breakout',
    category,
    message: 'A condition of JavaScript behind a value, as a NoSQL $where would read it',
    // it ends in a comment, or opens the string that the application closes; `,` and `+` also stand in code and tables
    pattern: verbose('i')`
      ^[\w.@-]{0,20}(['"])\s{0,3}(?:
        (?:\|\||&&|;|in\{\}\s?\|\|)[\s(!]{0,4}(?:
          this\s?[.[]|object\.keys|json\.\w|new\s{1,3}date\(|\(\)\s?=>|eval\(|true\b|[01]\b|return\b|if\s?\(|while\s?\(
          |\/\^?\w{1,20}\/\.test\(
        )
        |\?1:1\|\|
        |[,+][\s(]{0,4}(?:this[.[]|\(\)\s?=>|object\.keys\(|json\.stringify\()
      )[^\n]{0,120}?(?:
        \/\/\s?\w?
        |\/\*
        |(?:\|\||&&|[+,]|[=!]=)\s{0,3}\1[^'"\n]{0,12}(?:\1={1,3}\1\w{0,6})?
        |;var\s\w=\1
      )$
      |^-?\d{1,6}\s{0,3}(?:\|\||&&|,|;)[\s(!]{0,4}(?:
        this\s?[.[]['"\w]
        |new\s{1,3}date\(\)
        |\(\)\s?=>
        |object\.keys\(this
        |json\.stringify\(this
        |true\s?;?\/\/
      )
    `,
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'nosql-json-breakout',
    category,
    message: 'A field with an operator behind a value of JSON that the application puts together',
    pattern: verbose('i')`
      ^[\w.@-]{0,20}"\s{0,3}(?:,\s{0,3}"\w{1,30}"\s{0,3}:\s{0,3}"[^"\n]{0,30}"\s{0,3}){0,2},\s{0,3}"(?:
        \w{1,30}"\s{0,3}:\s{0,3}\{\s{0,3}"\$[a-z]{2,12}"
        |\$(?:and|jsonschema)"\s{0,3}:
      )
    `,
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'nosql-type-test',
    category,
    message: 'A filter that holds for any value of a type',
    // `$type` in a document names a class (.NET), a lexicon or a design token; a password is no object that had one
    targets: [
      ...(['query', 'form'] as const).map((part) => ({
        part,
        of: 'names' as const,
        // `q.$type` may be a field of JSON in a parameter
        path: /^(?:[\w-]{1,40}\[\$type\]|(?:username|login|pass(?:word|wd)?|pwd|e?mail|secret|otp|api_?key|(?:reset_?)?token)\.\$type)$/i,
      })),
      {
        part: 'json',
        of: 'names',
        path: /(?:^|\.)(?:username|pass(?:word|wd)?|pwd|e?mail|secret|otp|api_?key|(?:reset_?)?token)\.\$type$/i,
      },
    ],
    pattern: /\$type\]?$/,
  }),
  patternRule({
    id: 'nosql-map-function',
    category,
    message: 'A function that a NoSQL database runs on each document',
    // CouchDB is sent the like by whoever designs its views: those take the document as an argument, these read `this`
    targets: besideTexts(anywhere, telling),
    pattern: verbose('i')`
      (?:^|['"};])\s{0,3}function\s{0,3}\w{0,20}\(\s{0,3}\)\s{0,3}\{[^{}\n]{0,160}?(?<![.\w])emit\s{0,3}\([^{}\n]{0,60}?\bthis\b
      |${behindValue}tojson(?:oneline)?\s?\(\s?this\s?\)
      |${behindValue}object\.keys\(\s?this\s?\)\s?(?:\[\s?\d{1,3}\s?\]|\.length)\s?(?:\.(?:match|charat|substr|length)|[=!<>]=?)
    `,
  }),
  patternRule({
    id: 'nosql-protocol-line',
    category,
    message: 'A value, a line break and a command of Redis or Memcached',
    // 'redis-cli' and what is typed there are lines of a session
    targets: besideTexts(anywhere, telling),
    pattern: verbose('i')`
      ^(?!(?:redis-cli|flush(?:all|db))\s?\r?\n)\S{0,60}\s?\r?\n\s{0,3}(?:
        flush(?:all|db)\s{0,3}(?:$|[\r\n])
        |(?:slaveof|replicaof)\s{1,3}\S{1,60}\s{1,3}\d
        |config\s{1,3}(?:set\s{1,3}[\w-]{1,30}\s{1,3}\S{1,80}|get\s{1,3}[\w*-]{1,30}|resetstat)\s{0,3}(?:$|[\r\n])
        |module\s{1,3}load\s
        |set\s{1,3}\S{1,60}\s{1,3}(?:\d{1,5}\s{1,3}\d{1,9}\s{1,3}\d{1,7}\s{0,3}[\r\n]|\S{1,60}\s{0,3}\r?\n\s?(?:quit|save|bgsave)\b)
        |eval\s{1,3}["'][^\n]{1,160}["']\s{1,3}\d
      )
    `,
  }),
];
