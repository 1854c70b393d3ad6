import type { Rule } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import { anywhere, patternRule } from '../define.ts';
import { besideTexts, withinTexts } from '../text-fields.ts';

const category = 'command_injection' as const;

const arithmetic = verbose()`
  (?:
    (?:\{\{-?|\$\{|#\{|<%=|\*\{|@[({]|\{%|\{\{=|\{@|\[\[|\[%|%\{)\s{0,9}\(?['"]?\d{1,9}['"]?\)?\s{0,9}[*+/-]{1,2}\s{0,9}\(?['"]?
    |(?:^|[^\w$#%*@{])\{\d{1,9}\*
  )\d{1,9}['"]?\)?(?:\s{0,3}[*%+/-]\s{0,3}\d{1,9})?\s{0,9}(?:-?\}|%>|%\]|\)|\]\])
  |\[=\s{0,9}\d{1,9}\s{0,9}[*+/-]\s{0,9}\d{1,9}\s{0,9}\]
`;

/** Template languages of servers: Jinja, Twig, Freemarker, Velocity, Smarty, ERB, Handlebars, Thymeleaf … */
export const templateRules: readonly Rule[] = [
  patternRule({
    id: 'template-arithmetic',
    category,
    message: 'Arithmetic in a template expression, as probes for template injection do',
    targets: besideTexts(anywhere),
    // '{{ (2024) - 1 }}': a year, as pages and settings reckon with one
    pattern: new RegExp(
      `(?!\\{\\{\\s\\((?:19|20)\\d\\d\\)\\s[+-]\\s\\d{1,4}\\s\\}\\})(?:${arithmetic.source})`,
    ),
  }),
  patternRule({
    id: 'template-arithmetic-written',
    category,
    message: 'Arithmetic in a template expression, in a text and not as guides show a year and a number',
    targets: withinTexts(anywhere),
    pattern: new RegExp(`(?!\\{\\{\\s\\(\\d{1,9}\\)\\s[*+/-]\\s\\d{1,9}\\s\\}\\})(?:${arithmetic.source})`),
  }),
  patternRule({
    id: 'template-comment',
    category,
    message: 'A comment of a template language within a word, as probes send that ask which language it is',
    pattern:
      /^\w{1,20}(?:\{\*[^*{}]{1,40}\*\}|\{#[^#{}]{1,40}#\}|<%(?:#|--)[^%<>]{1,40}%>|\{\{!(?:--)?[^{}]{1,40}\}\})\w{1,20}$/,
  }),
  patternRule({
    id: 'template-between-letters',
    category,
    message: 'A template expression between two letters, as probes send that look whether it vanishes',
    pattern: /^[a-z](?:\{\{\s?\w{1,12}\s?\}\}|\{%\s?\w{1,20}\s?%\})[a-z]$/i,
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'template-polyglot',
    category,
    message: 'The openings of several template languages in one, as probes for an error do',
    pattern: /\{\{<%|\{\{\$?\{?<%\[|<%\[%['"]?|\}\}%\\|#\{[^{}]{0,12}\}\$\{[^{}]{0,12}\}\{\{/,
  }),
  patternRule({
    id: 'template-objects',
    category,
    message: 'A template expression that reaches the objects behind it',
    // Not across another opening, from which the rest would be read again: 128 KB of them took 40 ms.
    pattern: verbose('i')`
      (?<!\{)\{\{\{{0,80}(?:[^{}]|\{(?!\{)){0,80}(?:
        _context\b
        |\bconstant\s{0,9}\(
        |\bsettings\.secret
        |\bmessages\.storages
        |(?<!["'])\b(?:config|self|request|cycler|joiner|namespace|lipsum|url_for|get_flashed_messages|app)\s{0,9}(?:
            # '{{config.yml}}' is how Jira and MediaWiki set the name of a file.
            \.(?!(?:ya?ml|json|ini|toml|conf|xml|[jt]s|py|php|rb)\}\})|\[|\||\}\}
          )
        |__\w{3,20}__
        |\|\s{0,9}(?:attr|filter|map|sort|reduce|join|format)\s{0,9}\(
        |_self\b
        |\bdump\s{0,9}\(
        |range\.constructor
        |\bthis\.(?:push\b|gettemplatefilter)
        |\.addafterfiltercallback\(
        |#with\b
      )
    `,
  }),
  patternRule({
    id: 'template-statements',
    category,
    message: 'A template statement that reaches files, code or the objects behind it',
    pattern: verbose('i')`
      \{%-?\s{0,9}(?:
        (?:for|if|set|macro|block|with|call|print|include|import|extends|from|do)\b(?=
          (?:[^%]|%(?!\})){0,120}(?:
            (?<!\b(?:is_[a-z_]{1,30}|states|state_attr|ref|trans|asset|path|url|date))\(
            |__
            |\|\s{0,3}attr\s{0,3}\(
            |\[
            |\b(?:cycler|request|self|config|lipsum|joiner|namespace|app|system|passthru|exec|os|subprocess)\b
            |['"][./]{0,3}\/
            |\d\s{0,3}\*\s{0,3}\d
          )
        )(?:[^%]|%(?!\})){0,240}
        |debug\s{0,9}
        |load\s{1,9}log[^%]{0,60}
        |block\s{1,9}U
      )%\}
      |\{%\s{0,9}print\s{0,9}\(
    `,
  }),
  patternRule({
    id: 'template-go',
    category,
    severity: 'critical',
    message: 'A template expression of Go that calls a method which runs or reads',
    pattern:
      /\{\{-?\s{0,9}(?:[\w$]{1,20}\s{1,9}|"[^"{}]{0,20}"\s{1,9}|\(){0,4}\$?\.(?:system|exec(?:ute)?|command|shell|run(?:cmd|command)?|readfile|openfile)\s{1,9}["`]/i,
  }),
  patternRule({
    id: 'template-freemarker',
    category,
    severity: 'critical',
    message: 'A Freemarker or Velocity directive that runs code',
    pattern: verbose('i')`
      <#(?:assign|include|import|list|if|macro|attempt|setting)\b
      |\bfreemarker\.template\.utility
      |\?new\s{0,9}\(\)
      |\?(?:api|eval|interpret)\b
      |#set\s{0,9}\(\s{0,9}\$\w
      |\$\w{1,30}\.(?:class\.|getclass\b)
      |#(?:foreach|parse|include|evaluate|macro)\s{0,9}\(\s{0,9}[$'"]
      |\$\{\s{0,9}(?:\w{1,20}\?(?:new|api|eval)|\.(?:data_model|version|globals|main|now|vars)\b)
    `,
  }),
  patternRule({
    id: 'template-jelly',
    category,
    severity: 'critical',
    message: 'A Jelly script, which Jenkins and ServiceNow evaluate (CVE-2024-4879)',
    targets: besideTexts(anywhere),
    pattern: verbose('i')`
      <g:(?:evaluate|script|requires)\b|<j:(?:jelly|invoke(?:static)?|new|import|include)\b
      |\bxmlns:\w{1,10}\s?=\s?["']?jelly(?::core)?["']
    `,
  }),
  patternRule({
    id: 'template-smarty-erb',
    category,
    severity: 'critical',
    message: 'A Smarty, ERB, Razor or Pug expression that runs code',
    pattern: verbose('i')`
      \{(?:php|literal|system(?!\s?\(\s?["'](?:pause|cls|clear)["'])|exec|include_php|fetch|if\s{1,9}(?:phpinfo|system|passthru|exec|readfile))\b
      [^}]{0,100}\}
      |\{\$smarty\.
      |\{math\s{1,9}equation=
      |\{\s{0,9}['"][^'"{}]{1,40}['"]\s{0,9}\|\s{0,9}(?:
          system|exec|passthru|shell_exec|popen|file_get_contents|print_r
        )\b
      |\{\{[^{}\n]{1,80}\|\s{0,3}(?:system|exec|passthru|shell_exec|popen|proc_open|assert)\b
      |\|\s{0,3}(?:filter|map|reduce|sort|find)\s{0,3}\([^()\n]{0,30}['"](?:system|exec|passthru|shell_exec|popen|proc_open|assert|phpinfo)['"]
      |\bsmarty_internal_\w{1,30}::
      |\{eval\s{1,9}var=
      |\[%-?\s{0,9}(?:PERL|RAWPERL|USE\s)
      |\{\s{0,9}(?:system|passthru|exec|shell_exec|phpinfo|self::\w{1,40})\s{0,9}\((?!\s?['"](?:pause|cls|clear)['"]\s?\))
      |<%[=-]?\s{0,9}(?:
          system|(?:\w{1,20}\.)?(?:__|public_)?send\s{0,3}\((?:[^)\n]{0,60},|\s{0,3}[:'"](?:system|exec|spawn|fork|open|\w{0,12}eval|\w{0,12}send|method|\W))|(?:\w{1,20}\.)?(?:instance_|class_)?(?:eval|exec)\b|method\s{0,3}\([^)\n]{0,60}\)\s{0,3}[.[(]|process\.spawn\b|spawn\s{0,3}[('"]
          |kernel[.:]|binding\.|object\.(?:new|send|const)|%x|eval\b|class\s{0,3}<<|\`[^\`\n]{1,200}\`|file\.|io\.|dir\.|exec|open|global|process|self|require|env\b|request\.env|response\.write
          |7\s{0,9}\*
        )
      |@[{(]?\s{0,9}(?:system\.(?:diagnostics|reflection)\b|system\.io\.(?:file|directory)\.\w{2,30}\s?\(|\(\s{0,9}\d{1,9}\s{0,9}[*+]\s{0,9}\d)
      |#\{\s{0,9}(?:root|global|process|function|system|\`[^\`\n]{1,200}\`|file\.|io\.|%x|7\s{0,9}\*)
      |\{\{\s{0,9}(?:'|")[^}]{0,40}(?:'|")\s{0,9}\|\s{0,9}(?:filter|map|system|exec|passthru)
    `,
  }),
  patternRule({
    id: 'template-quoted-call',
    category,
    message: 'A template expression that calls on a text',
    pattern: verbose()`
      (?:\{\{|\$\{|#\{|\*\{)(?:\s{0,18}|\s{0,9}\(\s{0,9})(?:'[^'}]{0,40}'|"[^"}]{0,40}"|\(\)|\[\]|\{\})\s{0,9}(?:
        \.
        |\[
        |\|\s{0,3}(?:attr|map|filter|reduce|sort|join|format|upper|lower|e|safe|string|list|reverse)\b
      )
    `,
  }),
  patternRule({
    id: 'template-node-scope',
    category,
    message: 'A template of Node.js that reads the process, or all that it was given',
    // EJS, Lodash, doT, Pug, Nunjucks: names of single variables are what templates hold that people show
    pattern: verbose('i')`
      <%[-=_]?\s{0,9}(?:
        json\.stringify\s?\(\s?(?:locals|this|obj)\s?[,)]
        |(?:_|object)\.(?:keys|values|entries)\s?\(\s?(?:locals|this|obj|global)\b
        |for\s{0,3}\(\s?(?:(?:var|let|const)\s)?\w{1,20}\s(?:in|of)\s(?:this|locals|global)\b
        |(?:(?:var|let|const)\s)\w{1,20}\s?=\s?(?:require|process|global)\b
        |include\s?\(\s?['"](?:\.\.\/){2}
        |(?:__dirname|__filename|arguments|global(?:this)?|process|require|module|exports)\s{0,3}(?:%>|[.[(])
        |[^%>\n]{0,80}\bprocess\.(?:env|mainmodule|binding|argv|version|cwd|exit|pid)\b
      )
      |\$\{\s?\(\s?\(\)\s?=>\s?\{?\s?(?:return\s{1,3})?(?:process|global(?:this)?)\b
      |#\{\s{0,3}(?:__dirname|__filename|require\s?\()
      |(?:[!#]\{|\{\{=|<%[-=])\s{0,3}(?:(?:this|global|globalthis|root)\.)?process\.\w
      |\{\{[^{}\n]{1,80}\|\s{0,3}dump\s{0,3}(?:\([^)]{0,9}\)\s{0,3})?\}\}
    `,
    sensitivity: 'medium',
  }),
];
