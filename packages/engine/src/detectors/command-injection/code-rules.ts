import type { Rule } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import {
  anywhere,
  argumentParts,
  askedOfModels,
  besideShownPrograms,
  headParts,
  patternRule,
} from '../define.ts';
import { besideTexts } from '../text-fields.ts';
import { telling } from './command-fields.ts';
import { phpRules } from './php-rules.ts';

const category = 'command_injection' as const;
const severity = 'critical' as const;
const withUploads = [...anywhere, 'document'] as const;

const written: readonly Rule[] = [
  ...phpRules,
  patternRule({
    id: 'code-flight-reference',
    category,
    severity,
    message: 'A reference of React Flight that walks to a constructor or prototype (CVE-2025-55182)',
    parts: argumentParts,
    pattern: /\$[\da-f]{1,8}(?::[\w$]{1,60}){0,8}:(?:__proto__|constructor|prototype)\b/i,
  }),
  patternRule({
    id: 'code-java-runtime',
    category,
    severity,
    message: 'Java that reaches the operating system',
    parts: withUploads,
    pattern: verbose('i')`
      (?<!\bat (?:java\.base\/)?|file=")\bjava\s{0,9}\.\s{0,9}(?:
        lang\s{0,9}\.\s{0,9}(?!\w{0,60}(?:exception|error)\b|thread\.run\(thread\.java|thread(?:["'<]|$))(?:
          runtime|processbuilder|class|system|thread|reflect|classloader|process|unixprocess|script
        )
        |util\s{0,9}\.\s{0,9}scanner
        |net\s{0,9}\.\s{0,9}url\b
        |io\s{0,9}\.\s{0,9}(?:file(?!notfound)|buffered|inputstream)
        |beans\s{0,9}\.\s{0,9}xmldecoder
        |rmi\.
        |nio\.file
      )
      |\bgetruntime\s{0,9}\((?!
          \)(?:\.(?:availableprocessors|(?:total|free|max)memory|gc|version)\(\)|;(?![\s\S]{0,400}\bexec))
        )
      |\bruntime\s{0,9}\.\s{0,9}getruntime\b(?!
          \(\)(?:\.(?:availableprocessors|(?:total|free|max)memory|gc|version)\(\)|;(?![\s\S]{0,400}\bexec))
        )
      |\bprocessbuilder\s{0,9}\(
      |\bprocessbuilder\b
      |\bgetclass\(\)\s{0,9}\.\s{0,9}(?:forname|getclassloader|getmethod)
      |\bclass\.forname\s{0,9}\((?!["'](?:com|org|oracle)\.[\w.]{1,80}Driver["']\)(?!\s{0,9}\.(?!newInstance\(\)\s{0,9}(?:;|$))))
      |\bgetdeclaredmethod
      |\bscriptenginemanager\b
      |\bclass\.(?:module\.)?classloader
      |\bclass\.protectiondomain
      |\bdefineclass\s{0,9}\(
      |\bjavax(?<!(?:exception|error): javax)\.(?:script|naming|management|imageio|crypto\.cipher)
      |new\s{1,9}javax?\.\w
      |\bcom\.sun\.(?:org|rowset|jndi|xml)\.
      |\bbsh\.interpreter
      |\bgroovy\.(?:lang|util|shell)
      |\bcom\.opensymphony\.xwork
      |org\.springframework\.(?:context\.support|expression|cglib)
      |(?<!\bat )\borg\.apache\.(?:
          commons\.(?:collections|beanutils|io|configuration)
          |xalan
          |xbean
          |tomcat
          |catalina
          |shiro
          |ibatis
          |velocity
        )\.(?!\w{1,40}(?:\.\w{1,40}){0,6}(?:Exception|Error)\b)\w
    `,
  }),
  patternRule({
    id: 'code-ognl',
    category,
    severity,
    message: 'An OGNL expression that reaches the runtime (Struts, Confluence)',
    parts: withUploads,
    pattern: verbose('i')`
      (?:^|[^\w])#(?:
        _?memberaccess
        |ognlutil
        |dm\s{0,9}(?:[=.[)]|\\u003d)
        |iswin
        |(?:_\w{0,20}|[abcfp])\s{0,9}=\s{0,9}\(?\s{0,9}(?:
            new\s
            |['"{]
            |\d{1,9}\s{0,3}[),}]
            |@[\w.$]{2,80}[@.]
            |#\w{1,40}[.[(=]
            |\w{1,40}\.\w{2}
            |\w{3,40}\((?:['")#@\d]|\w{1,20}\()
            |true\b
            |false\b
          )
        |[abcfp]\s{0,9}(?:\[\s{0,9}['"]|\.(?:get|put|set|add|start|print|exec|remove|clear|read|invoke|write)\w{0,30}\()
        |(?:
            context|container|request|response|session|application|parameters|attr|cmds?|process|ros|res|out|str
            |rt|instancemanager|stack|bean|value|map|excluded\w{1,20}
          )\s{0,9}(?:
            =(?!=)
            |\[\s{0,9}['"]
            |\\u003d
            |\.(?:get|put|set|add|start|print|exec|remove|clear|read|invoke|write)\w{0,30}\(
          )
      )
      |@(?:java|ognl|org|com)\.[\w.$]{3,80}@
      |\bognlcontext\b
      |\bognl\.\w
      |\bdefault_member_access
      |\bxwork\.
      |\ballowstaticmethodaccess
      |[%$]\{(?:(?:\s{0,18}|\s{0,9}\(\s{0,9})#(?:\w{3,40}\s{0,9}(?:[=.[@(),}]|\\u003d)|\w{1,40}=[(@#'"\d])|\s{0,9}(?:[\d+*() ]{3,20}\}|new\s|@[a-z_$][\w$.]{2,80}[@(]|['"][^'"]{0,40}['"]\.(?:getclass|tostring)))
      |\bredirect(?:action)?:\s{0,9}[$%#]\{
      |\bmethod:[\w#@%]{0,40}[#@%$]
    `,
  }),
  patternRule({
    id: 'code-expression-language',
    category,
    severity,
    message: 'A SpEL, EL or MVEL expression that reaches the runtime',
    parts: withUploads,
    pattern: verbose('i')`
      \bT\s{0,9}\(\s{0,9}(?:java|org|javax|com|sun)\.\w
      |[$#]\{\s{0,9}(?:
          T\s{0,9}\(
          |\(?(?:'[^'}\n]{0,80}'|"[^"}\n]{0,80}")\s{0,3}(?:$|[.[+)}=?|,*:-]|\w{2,10}\s)
          |param\.
          |header\.
          |request\.
          |session\.
          |(?:application|session|request|page)scope
          |pagecontext
          |facescontext
          |systemproperties
          |beans?\.(?!\w{1,40}\s?\})
          |class\.
          |runtime
          |new\s
          |7\s{0,9}\*\s{0,9}7
          |\d{1,9}\s{0,9}[*+-]\s{0,9}\d{1,9}\s{0,9}(?:$|[}*+-])
        )
      |\.getclass\(\)
      |\binvoke\s{0,9}\(\s{0,9}null\b
      |spring\.cloud\.function\.routing
      |\b_csrf\.\w
      |\*\{\s{0,9}T\s{0,9}\(
      |__\$\{
      |::\.x\b
    `,
  }),
  patternRule({
    id: 'code-nginx-directive',
    category,
    severity,
    message: 'A directive that loads a library, behind what ends a block of nginx (CVE-2025-1974)',
    pattern:
      /[;}](?:\s{0,27}|\s{0,9}\}\s{0,18}|\s{10,18}\}\s{0,9}|\s{0,9}\}\s{0,9}\}\s{0,9})(?:ssl_engine|load_module)\s{1,9}[/.\w]/i,
  }),
  patternRule({
    id: 'code-lookup',
    category,
    severity,
    message: 'A log4j lookup (CVE-2021-44228)',
    parts: withUploads,
    pattern: verbose('i')`
      \$\{(?:
        \s{0,9}jndi(?!\})
        # Nine spaces and 60 bytes, cut in one way: each way to cut them is read to the last lookup within.
        |(?:\s{10}[^{}]{0,59}|\s{0,9}(?!\s)[^{}]{0,60})\$\{(?:[^{}]{0,60}\$\{){0,2}[^{}]{0,40}:-?
        |\s{0,9}(?:lower|upper|env|sys|java|date|main|ctx|(?:base64|url)(?:de|en)coder|base64|resourcebundle|::|map|bundle|script|dns|url|file|const)\s{0,9}:
      )
      |\bjndi\s{0,9}:\s{0,9}(?:ldaps?|rmi|dns|iiop|corba|nds|https?|nis)\b
      |\b(?:ldaps?|rmi|iiop):\/\/[^\s]{1,100}\/(?:\w|#)
    `,
  }),
  patternRule({
    id: 'code-python',
    category,
    severity,
    message: 'Python that reaches the operating system',
    pattern: verbose('i')`
      __import__\s{0,9}\(
      |\bos(?<!\bline \d{1,6}, in [^\n]{1,80}\n\s{1,12}os)\s{0,9}\.\s{0,9}(?:system|popen|exec[lv]p?e?|spawn)
        \s{0,9}\(
      |\bsubprocess\s{0,9}\.\s{0,9}(?:popen|call|check_output|run|getoutput)
      |__(?:mro|subclasses|globals|builtins|bases?|reduce|getattribute)__\b.{0,200}(?:\(|\[|\.|\||'\])
      |['")\]}]\s{0,3}(?:\.|\[\s{0,3}['"])\s{0,3}__(?:(?:class|dict)__|init__(?!\s{0,3}\())
      |__(?:class|init|dict)__['"\]\s]{0,4}(?:\.|\[['"]|\|\s{0,3}attr\()\s{0,3}__(?!
          name|doc|module|qualname|init__\(
        )\w
      |\battr\s{0,9}\(\s{0,9}['"]__
      |\bimportlib\.import_module\s{0,9}\(
      |^\s{0,9}(?:time\.sleep\s{0,9}\(\s{0,9}\d{1,5}\s{0,9}\)|breakpoint\s{0,9}\(\))\s{0,9}$
      |\bglobals\(\)\s{0,9}\[
      |\bimport\s{1,9}(?:os|subprocess|socket|pty|sys)\b\s{0,9};(?!\s{0,9}(?:os\.(?:path|getcwd)|sys\.(?:argv|path|version))\b)
      |\b(?:pickle|marshal|yaml)\.(?:loads?|unsafe_load)\s{0,9}\(
      |\bcommands\.getoutput
      |\bpty\.spawn
      |^\w{1,40}(?:\.\w{1,40}){1,12}\.os\.(?:system|popen)$
      |\bexec\s{0,9}\(\s{0,9}(?:compile|['"]import)
      |\bcompile\(\s{0,9}['"]
      |!!python\/(?:object|name|module|apply)
      |tag:yaml\.org,2002:(?:python|js|java)
      |!!js\/(?:function|regexp|undefined)
      |\bcPickle\b
      |\bc(?:posix|nt|os|builtins|__builtin__|subprocess|commands)(?:\n|\\n)(?:system|popen|eval|exec|check_output|getoutput)\b
      |\bopen\s{0,9}\(\s{0,9}['"]\/(?:etc|proc)\/
    `,
  }),
  patternRule({
    id: 'code-format-string',
    category,
    severity,
    message: 'A format that reads or writes the memory of a program, as a whole value',
    parts: [...headParts, 'form', 'json', 'multipart'],
    pattern: /^(?:(?:%(?:\d{1,4}\$)?[nspx]){4,40}|%(?:\.\d{3,12}|\d{5,12})[dsxn])$/,
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'code-node',
    category,
    severity,
    message: 'Node.js that reaches the operating system',
    pattern: verbose('i')`
      \brequire\s{0,9}\(\s{0,9}\\?['"\`](?:node:)?(?:
        child_process\\?['"\`]
        |(?:fs|os|net|https?|vm|cluster|dns|repl|worker_threads)\\?['"\`]\s{0,9}\)\s{0,9}(?:\.|\[)
      )
      |\bprocess\s{0,9}\.\s{0,9}(?:mainmodule|binding\s{0,9}\(|dlopen)
      |(?:^|[{(])[ \t]{0,3}process\.env\.\w{1,40}\s{0,3}(?:$|\})
      |(?:^|[;,(+={[])[ \t]{0,9}process\s{0,9}\.\s{0,9}(?:env\b\s{0,9}(?:[[)}]|$)|exit\s{0,9}\(|kill\s{0,9}\()
      |\bglobal\.process\b
      |\{\s{0,9}return\s{1,3}process\.env\s{0,3};?\s{0,3}\}
      |\bchild_process['"\`]\s{0,9}\)\s{0,9}[.[]
      |\bchild_process\s{0,9}\.\s{0,9}(?:exec|spawn|fork)\w{0,10}\s{0,9}\(
      |\bfrom\s{1,9}['"](?:node:)?child_process
      |\b(?:root|globalthis|global)\.process\b
      |\b(?:while\s{0,9}\(\s{0,9}(?:1|true|!0)\s{0,9}\)|for\s{0,9}\(\s{0,9};\s{0,9};\s{0,9}\))\s{0,9}(?:
          \{\s{0,9}\}|;
        )
      |\b(?:execsync|spawnsync|execfilesync)\s{0,9}\(
      |_\$\$nd_func\$\$_
      |\bmodule\.constructor\._load
      |\bimport\s{0,9}\(\s{0,9}['"](?:node:)?child_process
    `,
  }),
  patternRule({
    id: 'code-ruby-perl',
    category,
    severity,
    message: 'Ruby, Perl or Lua that reaches the operating system',
    pattern: verbose('i')`
      \bkernel\s{0,9}\.\s{0,9}(?:system|exec|open|fork|spawn)\b
      |\bio\.popen\s{0,9}\(
      |\b(?:instance_eval|class_eval|instance_variable_get|public_send|__send__)\s{0,9}[(\s]
      |%x(?!![^!]{0,80}$)[[({|!]\s{0,9}(?:id|ls|cat|whoami|uname|curl|wget|echo|ping|sleep|touch|nc|sh|bash|nslookup)\b
      |\bopen\s{0,9}\(\s{0,9}['"]\|
      |\berb\.new\b
      |\b(?:os\.execute\s{0,9}\(|loadstring\s{0,9}\(\s{0,9}(?:string\.char|['"]))
      # Erlang
      |\bos:cmd\s{0,9}\(
      # TeX, where it may run commands
      |\\write18\s{0,9}\{
      |\\input\s{0,9}(?:\{\s{0,9})?["']?\|
      |\bio\.popen\b
      |\bpackage\.loadlib
      |\b--- !ruby\/
      |!ruby\/(?:object|hash|struct|array)
    `,
  }),
  patternRule({
    id: 'code-prototype',
    category,
    message: 'Pollution of an object prototype',
    // 'what is __proto__': a word before it and nothing or a word after it is a question, and no path to a field.
    pattern: verbose('i')`
      (?!(?<=[a-z]{2})\x20__proto__(?:\?|$)|(?:^|(?<=[a-z]{2})[ .])__proto__\x20[a-z]{2})
      (?:^|[[.'"{,\s])__proto__(?:[\].'":,\s[]|$)|\bconstructor(?:\]?\[|\.)\s{0,9}['"]?prototype\b
    `,
  }),
  patternRule({
    id: 'code-prototype-doubled',
    category,
    message:
      'Pollution of an object prototype, by a name that a filter which takes out the inner one would make',
    targets: argumentParts.flatMap((part) => [{ part }, { part, of: 'names' as const }]),
    pattern:
      /__pr?o?t?o?(?:__proto__|constructor|prototype)[proto]{0,4}__|\bcon?s?t?r?u?c?t?(?:constructor|prototype)[constructor]{1,9}\b/i,
  }),
  patternRule({
    id: 'code-prototype-nested',
    category,
    message: 'Pollution of an object prototype through nested fields of JSON',
    targets: argumentParts.map((part) => ({
      part,
      of: 'names' as const,
      path: /(?:^|\.)constructor\.prototype$/,
    })),
    pattern: /^prototype$/,
  }),
  patternRule({
    id: 'code-prototype-pointer',
    category,
    message: 'Pollution of an object prototype through a JSON Pointer (RFC 6901), as patches hold one',
    targets: [{ part: 'json', path: /(?:^|\.)(?:path|from|pointer)$/ }],
    // `/docs/constructor/prototype` is a chapter
    pattern:
      /^(?:(?:\/[\w~.-]{1,40}){0,8}\/__proto__|(?!\/(?:docs|guides?|reference)\/)(?:\/[\w~.-]{1,40}){0,8}\/constructor\/prototype)(?:\/|$)/,
  }),
  patternRule({
    id: 'code-view-option',
    category,
    message:
      'An option of a template engine that becomes code, which no application takes from a request (CVE-2022-29078)',
    targets: (['query', 'form', 'json', 'multipart'] as const).map((part) => ({
      part,
      of: 'names' as const,
      path: /(?:^|[.[])(?:outputFunctionName|destructuredLocals|settings(?:\.|\]?\[)view options)\b/,
    })),
    pattern: /\b(?:outputFunctionName|destructuredLocals|view options)\b/,
  }),
  patternRule({
    id: 'code-groovy',
    category,
    severity,
    message: 'Groovy that runs a command, or code while it is compiled',
    targets: besideTexts(anywhere, telling),
    pattern: verbose()`
      (?!["'](?:(?:[Ss]elect|SELECT|[Ii]nsert|INSERT|[Uu]pdate|UPDATE|[Dd]elete|DELETE)\s|git\s(?:log|status|diff|describe|rev-parse)[\w\s]{0,40}["']))
      (?:'[^'\n]{1,200}'|"[^"\n]{1,200}"|(?<![\w)\]])\[\s{0,3}(?:'[^'\n]{0,80}'|"[^"\n]{0,80}")(?:\s{0,3},\s{0,3}(?:'[^'\n]{0,80}'|"[^"\n]{0,80}")){0,8}\s{0,3}\])
      \.execute\(\s{0,3}\)
      |@(?:groovy\.transform\.)?ASTTest\s?\(
      |@GrabResolver\s?\(
      |\bnew\s{1,3}GroovyShell\s?\(
    `,
  }),
  patternRule({
    id: 'code-server-include',
    category,
    message: 'A server-side include',
    pattern:
      /<!--\s{0,9}#\s{0,9}(?:exec|include|echo|printenv|set|config|fsize|flastmod|if)\b|<esi:(?:include|inline|debug|vars|assign|eval|choose)\b|<!--esi\b/i,
  }),
  patternRule({
    id: 'code-gnuplot-javascript',
    category,
    severity,
    message: 'A call to the system inside a value of another language',
    parts: [...argumentParts],
    pattern: verbose('i')`
      [[:,=({\s'"\`;]system\s{0,9}\(\s{0,9}(?!['"](?:pause|cls|clear)['"]\s{0,9}\))(?:'[^']{1,200}'|"[^"]{1,200}")\s{0,9}(?:[,).;&|]|$)
      |\bexec\s{0,9}\(\s{0,9}(?:\[\s{0,9})?\\?['"][^'"]{1,200}['"][^)]{0,80}\)\s{0,9}\.(?:
          getinputstream|waitfor|text|start
        )
      |\.execute\s{0,9}\(\s{0,9}\)\s{0,9}\.text
      |\bshell_?exec(?:ute)?\s{0,9}\(
      |\bwscript\.shell\b
      |\bnew\s{1,9}activexobject
      |\bsystem\.diagnostics\.process
      |\bprocess\.start\s{0,9}\(
      |\bcreateobject\s{0,9}\(\s{0,9}['"]
      # What a one-line shell of classic ASP evaluates
      |\b(?:eval|execute(?:global)?)\s{0,9}\(?\s{0,9}request(?:\.(?:item|form|querystring))?\s{0,3}[[(]\s{0,3}\\?['"]
      |\bexec\s{1,9}xp_
    `,
  }),
];

/** Code of a server's own language, and calls into its runtime. */
export const codeRules: readonly Rule[] = [
  ...besideShownPrograms(written),
  patternRule({
    id: 'code-asked',
    category,
    severity,
    message: 'One line that reaches the operating system, where a language model is asked',
    targets: [{ part: 'json', path: askedOfModels }],
    pattern: verbose('i')`
      ^\s{0,9}[^\n]{0,200}(?:
        __import__\s{0,9}\(
        |\bos\.(?:system|popen)\s{0,9}\(\s{0,3}['"]
        |\bsubprocess\.\w{3,12}\s{0,9}\(
        |\bchild_process['"]\s{0,9}\)\s{0,9}\.
        |\bgetruntime\(\)\.exec\b
        |\bjndi\s{0,9}:\s{0,9}\w{3,5}:\/\/
        |\b(?:system|shell_exec|passthru)\s{0,9}\(\s{0,9}\$_
      )[^\n]{0,400}$
    `,
  }),
];
