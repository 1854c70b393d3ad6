import type { Rule } from '../../rules/index.ts';
import { patternRule } from '../define.ts';

const category = 'command_injection' as const;

/** Template languages of servers: Jinja, Twig, Freemarker, Velocity, Smarty, ERB, Handlebars, Thymeleaf … */
export const templateRules: readonly Rule[] = [
  patternRule({
    id: 'template-arithmetic',
    category,
    message: 'Arithmetic in a template expression, as probes for template injection do',
    pattern:
      /(?:\{\{|\$\{|#\{|<%=|\*\{|@\(|\{%|\{\{=|\{@|\[\[|%\{)\s{0,9}['"]?\d{1,9}['"]?\s{0,9}[*+/-]\s{0,9}['"]?\d{1,9}['"]?\s{0,9}(?:\}|%>|\)|\]\])/,
    gate: {
      allOf: [
        ['{{', '${', '#{', '<%=', '*{', '@(', '{%', '{@', '[[', '%{'],
        ['*', '+', '/', '-'],
      ],
    },
  }),
  patternRule({
    id: 'template-objects',
    category,
    message: 'A template expression that reaches the objects behind it',
    pattern:
      /\{\{[^}]{0,100}(?:\b(?:config|self|request|cycler|joiner|namespace|lipsum|url_for|get_flashed_messages|app)\s{0,9}(?:\.|\[|\||\}\})|__\w{3,20}__|\|\s{0,9}(?:attr|filter|map|sort|reduce|join|format)\s{0,9}\(|_self\b|\bdump\s{0,9}\(|range\.constructor|\bthis\b[^}]{0,40}\bpush\b|#with\b)|\{%\s{0,9}(?:for|if|set|import|include|extends|debug|macro|block|raw|with|load|autoescape)\b[^%]{0,120}%\}/i,
  }),
  patternRule({
    id: 'template-freemarker',
    category,
    severity: 'critical',
    message: 'A Freemarker or Velocity directive that runs code',
    pattern:
      /<#(?:assign|include|import|list|if|macro|attempt|setting)\b|\bfreemarker\.template\.utility|\?new\s{0,9}\(\)|\?(?:api|eval|interpret)\b|#set\s{0,9}\(\s{0,9}\$\w|\$\w{1,30}\.(?:class|getclass)\b|#(?:foreach|parse|include|evaluate|macro)\s{0,9}\(\s{0,9}[$'"]|\$\{\s{0,9}\w{1,20}\?(?:new|api|eval)/i,
  }),
  patternRule({
    id: 'template-smarty-erb',
    category,
    severity: 'critical',
    message: 'A Smarty, ERB, Razor or Pug expression that runs code',
    pattern:
      /\{(?:php|literal|system|exec|include_php|fetch|if\s{1,9}(?:phpinfo|system|passthru|exec|readfile))\b[^}]{0,100}\}|\{\$smarty\.|\{\s{0,9}(?:system|passthru|exec|shell_exec|phpinfo|self::\w{1,40})\s{0,9}\(|<%=?\s{0,9}(?:system|`|file\.|io\.|dir\.|exec|open|global|process|self|require|response\.write|7\s{0,9}\*)|@\{?\s{0,9}(?:system\.diagnostics|\(\s{0,9}\d{1,9}\s{0,9}[*+]\s{0,9}\d)|#\{\s{0,9}(?:root|global|process|function|system|`|file\.|io\.|%x|7\s{0,9}\*)|\{\{\s{0,9}(?:'|")[^}]{0,40}(?:'|")\s{0,9}\|\s{0,9}(?:filter|map|system|exec|passthru)/i,
  }),
  patternRule({
    id: 'template-quoted-call',
    category,
    message: 'A template expression that calls on a text',
    pattern:
      /(?:\{\{|\$\{|#\{|\*\{)\s{0,9}\(?\s{0,9}(?:''|""|'[^'}]{0,40}'|"[^"}]{0,40}"|\(\)|\[\]|\{\})\s{0,9}(?:\.|\[|\|)/,
  }),
];
