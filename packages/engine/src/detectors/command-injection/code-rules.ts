import type { Rule } from '../../rules/index.ts';
import {
  anywhere,
  argumentParts,
  askedOfModels,
  besideShownPrograms,
  bodyParts,
  headParts,
  patternRule,
} from '../define.ts';

const category = 'command_injection' as const;
const severity = 'critical' as const;
const withUploads = [...anywhere, 'document'] as const;

const written: readonly Rule[] = [
  patternRule({
    id: 'code-php-tag',
    category,
    severity,
    message: 'A tag that opens code of a server',
    pattern:
      /<\?(?:=\s{0,9}(?!\$(?!_)\w{1,40}(?:->\w{1,40}){0,4}\s{0,3};?\s{0,3}\?>)(?:[`$@('"]|[a-z_]\w{0,40}\s{0,9}\()|\s{0,9}(?:eval|system|echo|phpinfo|assert|include|require|@|\$)|[\s;]{0,9}\$_)|<script\s{1,9}language\s{0,9}=\s{0,9}['"]?php|\[\/?php\]|<%\s{0,9}(?:eval|execute|response\.write|request)\b|<jsp:(?:root|scriptlet|expression)|<%@\s{0,9}(?:page|register|import|assembly|webhandler|webservice|control|include|taglib)\b|<%!?=?[^%]{0,60}(?:runtime|request\.getparameter|out\.print|processbuilder)/i,
  }),
  patternRule({
    id: 'code-php-program',
    category,
    severity,
    message: 'A PHP opening tag',
    parts: headParts,
    pattern: /<\?php\b/i,
  }),
  patternRule({
    id: 'code-php-program-sent',
    category,
    severity,
    message: 'A PHP program in a body, as people send code; what it calls is judged by itself',
    parts: bodyParts,
    score: 2,
    pattern: /<\?php\b/i,
  }),
  patternRule({
    id: 'code-php-call',
    category,
    severity,
    message: 'A PHP call that runs code or commands',
    pattern:
      /\b(?:eval|assert|system|passthru|shell_exec|exec|popen|proc_open|pcntl_exec|create_function|call_user_func(?:_array)?|array_map|usort|preg_replace|file_put_contents|file_get_contents|readfile|fopen|include(?:_once)?|require(?:_once)?|unserialize|base64_decode|gzinflate|str_rot13|move_uploaded_file|die|print|echo|print_r|var_dump|md5)\s{0,9}\(?\s{0,9}(?:@?\$_(?:get|post|request|cookie|server|files|session)\b|@?\$\{?['"]?\w{0,20}\[|base64_decode\s{0,9}\(|gzinflate\s{0,9}\(|str_rot13\s{0,9}\(|chr\s{0,9}\(\s{0,9}\d|get_defined|getenv|current\s{0,9}\(|end\s{0,9}\(|hex2bin|pack\s{0,9}\()/i,
  }),
  patternRule({
    id: 'code-php-function',
    category,
    severity,
    message: 'A PHP function that runs commands, called with a text',
    pattern:
      /\b(?:eval|assert|unserialize|call_user_func)\s{0,9}\(\s{0,9}@?\$[a-z_]\w{0,20}\s{0,9}\)|(?<!\bos\.)\b(?:system|passthru|shell_exec|exec|popen|proc_open|pcntl_exec|assert|create_function)\s{0,9}(?:\/\*[^*]{0,40}\*\/\s{0,9})?\(\s{0,9}(?:\\?['"](?:[^'"]{0,60}\b)?(?:id|ls|dir|cat|whoami|echo|ping|wget|curl|touch|uname|nc|bash|sh|cmd|powershell|type|rm|sleep|nslookup|ipconfig|ifconfig|phpinfo|eval|print|net|ps|pwd|python\d?|perl)\b|\$\w|chr\()|\bphpinfo\s{0,9}\(\s{0,9}(?:-?\d{0,3}|info_\w{2,12})\s{0,9}\)|\$\{\s{0,9}@?(?:print|eval|phpinfo|system|assert|die)\b|\b(?:print|echo|die|var_dump|exit)\s{0,9}\(?\s{0,9}md5\s{0,9}\(|\b(?:file_put_contents|fputs|fwrite)\s{0,9}\(\s{0,9}[^)]{1,80}<\?|\bcall_user_func(?:_array)?\b|\bgetallheaders\s{0,9}\(|\bini_set\s{0,9}\(|\bset_time_limit\s{0,9}\(\s{0,9}0|\ballow_url_include\s{0,9}=|\(\s{0,9}['"]?(?:system|exec|passthru|shell_exec|assert|phpinfo|eval|popen|call_user_func)['"]?\s{0,9}\)\s{0,9}\(|['"](?:system|exec|passthru|shell_exec|assert|phpinfo)['"]\s{0,9}\(|\bauto_prepend_file\s{0,9}=/i,
  }),
  patternRule({
    id: 'code-php-builtin',
    category,
    severity,
    message: 'A function that only PHP has, called for what it shows or runs',
    pattern:
      /\b(?:show_source|highlight_file|php_uname|phpversion|get_defined_(?:vars|functions|constants)|error_reporting|php_sapi_name|posix_get\w{2,10}|pfsockopen|apache_setenv|register_shutdown_function|register_tick_function|forward_static_call(?:_array)?|iterator_apply|array_(?:map|filter|walk|diff_ukey|udiff|uintersect)|gzuncompress|convert_uudecode|mb_ereg_replace)\s{0,9}\(\s{0,9}(?:\)\s{0,9};|['"_$\d\][(-]|__file__)|\b(?:php_uname|get_defined_vars)\s{0,9}\(|\bbase64_decode\s{0,9}\(\s{0,9}['"][A-Za-z0-9+/=]{4,}['"]|\b(?:var_dump|print_r|var_export|echo)\s{0,9}\(?\s{0,9}(?:scandir|glob|opendir|file|get_|getenv|php|\$globals\b|ini_get)|\b(?:file_get_contents|readfile|fopen)\s{0,9}\(\s{0,9}['"](?:https?:|php:|file:|ftp:|\/|\.\.?\/)|\bscandir\s{0,9}\(\s{0,9}['"][./]|\bputenv\s{0,9}\(\s{0,9}['"]ld_preload|\bgetenv\s{0,9}\(\s{0,9}['"][A-Z_]{3,30}['"]\s{0,9}\)\s{0,9};?\s{0,9}$|\breflection(?:function|method)\s{0,9}\(\s{0,9}['"]|\b(?:include|require)(?:_once)?\s{0,9}\(?\s{0,9}['"](?:https?|ftp|php|data):|\bextract\s{0,9}\(\s{0,9}\$_|\bnew\s{1,9}(?:splfileobject|directoryiterator|globiterator)\s{0,9}\(/i,
  }),
  patternRule({
    id: 'code-php-assembled',
    category,
    severity,
    message: 'A PHP function name put together from strings, or a calculation or command echoed',
    gate: {
      allOf: [
        ['chr', 'echo', 'print', 'return', '$', "'.", '".', "' .", '" .', '(~'],
        [')(', ') (', ')  ', ')\t', ')\n', ').', ') .', ';'],
        ["'", '"', '*', '+', '`', ').', ') .', '(~'],
      ],
    },
    pattern:
      /\(\s{0,9}['"]\w{1,20}['"][ ]?\.[ ]?['"]\w{1,20}['"]\s{0,9}\)\s{0,9}\(|\$\w{1,20}\s{0,9}=\s{0,9}['"][\w$]{1,40}['"](?:\s{0,9}\.\s{0,9}['"]\w{1,40}['"]){0,4}\s{0,9};\s{0,9}(?:@|echo\s|print\s){0,2}\$\w{1,20}\s{0,9}\(|\bchr\s{0,9}\(\s{0,9}\d{2,3}\s{0,9}\)\s{0,9}\.\s{0,9}chr\s{0,9}\(|\b(?:echo|print)\s{0,9}\(?\s{0,9}\d{2,9}\s{0,9}[*+]\s{0,9}\d{1,9}\s{0,9}\)?\s{0,9};|\b(?:echo|print|return)\s{0,9}\(?\s{0,9}`(?![^`\n]{0,80}\$\{)[^`\n]{1,80}`\s{0,9}\)?\s{0,9};|\(~[\x80-\xff]{3,40}\)\s{0,9}\(|\$_{1,9}\s{0,3}=\s{0,3}(?:@?\(?\[\]|@?['"!])[^;\n]{0,60};\s{0,3}\$_{1,9}\s{0,3}(?:=|\.=|\[)/i,
  }),
  patternRule({
    id: 'code-php-global-name',
    category,
    severity,
    message: 'A parameter named as a PHP variable that holds the request or the session',
    targets: (['query', 'form', 'cookie', 'multipart'] as const).map((part) => ({
      part,
      of: 'names' as const,
    })),
    pattern: /^(?:GLOBALS|_(?:GET|POST|COOKIE|SERVER|SESSION|REQUEST|ENV|FILES))(?:\[|$)/,
  }),
  patternRule({
    id: 'code-php-superglobal',
    category,
    severity,
    message: 'A PHP variable that holds the request',
    parts: headParts,
    pattern:
      /\$_(?:get|post|request|cookie|server|files|session|env)\s{0,9}(?:\[|\{|=)|\$globals\s{0,9}\[|\$\{['"]?_(?:get|post|request)/i,
  }),
  patternRule({
    id: 'code-php-superglobal-run',
    category,
    severity,
    message: 'A PHP variable that holds the request, called, run or stored as it is',
    parts: bodyParts,
    pattern:
      /\$_(?:get|post|request|cookie|server|files|session|env)\s{0,9}(?:\{|(?:\[[^\]\n]{0,40}\]\s{0,3}){1,2}[(=`])|[`=@]\s{0,3}\$_(?:get|post|request|cookie|server)\s{0,9}\[[^\]\n]{0,40}\]\s{0,3}(?:[;`(]|$)|\$globals\s{0,9}\[|\$\{['"]?_(?:get|post|request)/i,
  }),
  patternRule({
    id: 'code-php-render-array',
    category,
    severity,
    message: 'A property of a Drupal render array in the name of a parameter (CVE-2018-7600)',
    targets: (['query', 'form', 'multipart', 'cookie', 'json'] as const).map((part) => ({
      part,
      of: 'names' as const,
    })),
    pattern:
      /\[['"]?#(?:post_render|pre_render|access_callback|lazy_builder|process|after_build|element_validate|validate|submit|theme_wrappers|value_callback|attached|markup)\b/i,
  }),
  patternRule({
    id: 'code-php-route',
    category,
    severity,
    message: 'A framework route that calls any function',
    pattern:
      /\binvokefunction\b|think\\+(?:app|container|request|template|config|view)|s=\/?index\/+\\?think|_method=__construct|filter\[\]=(?:system|assert|exec|phpinfo|call_user_func)|\bfunction=call_user_func/i,
    parts: [...anywhere, 'target'],
  }),
  patternRule({
    id: 'code-php-magic',
    category,
    severity,
    message: 'A method that PHP calls by itself, as a value or a name',
    targets: (['query', 'form', 'json', 'multipart', 'cookie'] as const).map((part) => ({ part })),
    pattern:
      /(?:^|\[)__(?:construct|destruct|call(?:static)?|invoke|tostring|wakeup|unserialize|set_state)(?:\(\))?\]?$/i,
  }),
  patternRule({
    id: 'code-php-behaviour',
    category,
    severity,
    message:
      'A behaviour or handler that Yii would attach to an object, and its class (CVE-2024-4990, CVE-2025-32432)',
    targets: argumentParts.map((part) => ({
      part,
      of: 'values' as const,
      path: /(?:^|[.[])(?:as|on) [\w*-]{1,40}\]?[.[](?:__)?class\]?$/i,
    })),
    pattern: /^\w{1,60}(?:\\{1,2}\w{1,60}){1,8}$/,
  }),
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
    pattern:
      /(?<!\bat (?:java\.base\/)?|file=")\bjava\s{0,9}\.\s{0,9}(?:lang\s{0,9}\.\s{0,9}(?!\w{0,60}(?:exception|error)\b|thread\.run\(thread\.java|thread(?:["'<]|$))(?:runtime|processbuilder|class|system|thread|reflect|classloader|process|unixprocess|script)|util\s{0,9}\.\s{0,9}scanner|net\s{0,9}\.\s{0,9}url\b|io\s{0,9}\.\s{0,9}(?:file(?!notfound)|buffered|inputstream)|beans\s{0,9}\.\s{0,9}xmldecoder|rmi\.|nio\.file)|\bgetruntime\s{0,9}\((?!\)(?:\.(?:availableprocessors|(?:total|free|max)memory|gc|version)\(\)|;(?![\s\S]{0,400}\bexec)))|\bruntime\s{0,9}\.\s{0,9}getruntime\b(?!\(\)(?:\.(?:availableprocessors|(?:total|free|max)memory|gc|version)\(\)|;(?![\s\S]{0,400}\bexec)))|\bprocessbuilder\s{0,9}\(|\bprocessbuilder\b|\bgetclass\(\)\s{0,9}\.\s{0,9}(?:forname|getclassloader|getmethod)|\bclass\.forname\s{0,9}\(|\bgetdeclaredmethod|\bscriptenginemanager\b|\bclass\.(?:module\.)?classloader|\bclass\.protectiondomain|\bdefineclass\s{0,9}\(|\bjavax(?<!(?:exception|error): javax)\.(?:script|naming|management|imageio|crypto\.cipher)|new\s{1,9}javax?\.\w|\bcom\.sun\.(?:org|rowset|jndi|xml)\.|\bbsh\.interpreter|\bgroovy\.(?:lang|util|shell)|\bcom\.opensymphony\.xwork|org\.springframework\.(?:context\.support|expression|cglib)|(?<!\bat )\borg\.apache\.(?:commons\.(?:collections|beanutils|io|configuration)|xalan|xbean|tomcat|catalina|shiro|ibatis|velocity)\.(?!\w{1,40}(?:\.\w{1,40}){0,6}(?:Exception|Error)\b)\w/i,
  }),
  patternRule({
    id: 'code-ognl',
    category,
    severity,
    message: 'An OGNL expression that reaches the runtime (Struts, Confluence)',
    parts: withUploads,
    pattern:
      /(?:^|[^\w])#(?:_?memberaccess|ognlutil|dm\b|iswin|_\w{0,20}\s{0,9}=|(?:context|container|request|response|session|application|parameters|attr|cmds?|process|ros|res|out|str|a|b|c|f|p|rt|instancemanager|stack|bean|value|map|excluded\w{1,20})\s{0,9}(?:=(?!=)|\[\s{0,9}['"]|\\u003d|\.(?:get|put|set|add|start|print|exec|remove|clear|read|invoke|write)\w{0,30}\())|@(?:java|ognl|org|com)\.[\w.$]{3,80}@|\bognlcontext\b|\bognl\.\w|\bdefault_member_access|\bxwork\.|\ballowstaticmethodaccess|[%$]\{\s{0,9}(?:\(?\s{0,9}#|[\d+*() ]{3,20}\}|new\s|@|['"][^'"]{0,40}['"]\.(?:getclass|tostring))|\bredirect(?:action)?:\s{0,9}[$%#]\{|\bmethod:[\w#@%]{0,40}[#@%$]/i,
  }),
  patternRule({
    id: 'code-expression-language',
    category,
    severity,
    message: 'A SpEL, EL or MVEL expression that reaches the runtime',
    parts: withUploads,
    pattern:
      /\bT\s{0,9}\(\s{0,9}(?:java|org|javax|com|sun)\.\w|[$#]\{\s{0,9}(?:T\s{0,9}\(|''|""|\(?['"]|param\.|header\.|request\.|session\.|(?:application|session|request|page)scope|pagecontext|facescontext|systemproperties|beans?\.|class\.|runtime|new\s|7\s{0,9}\*\s{0,9}7|\d{1,9}\s{0,9}[*+-]\s{0,9}\d)|\.getclass\(\)|\binvoke\s{0,9}\(\s{0,9}null\b|spring\.cloud\.function\.routing|\b_csrf\.\w|\*\{\s{0,9}T\s{0,9}\(|__\$\{|::\.x\b/i,
  }),
  patternRule({
    id: 'code-nginx-directive',
    category,
    severity,
    message: 'A directive that loads a library, behind what ends a block of nginx (CVE-2025-1974)',
    pattern: /[;}]\s{0,9}\}?\s{0,9}\}?\s{0,9}(?:ssl_engine|load_module)\s{1,9}[/.\w]/i,
  }),
  patternRule({
    id: 'code-lookup',
    category,
    severity,
    message: 'A log4j lookup (CVE-2021-44228)',
    parts: withUploads,
    pattern:
      /\$\{\s{0,9}(?:jndi(?!\})|(?:[^{}]{0,60}\$\{){1,3}[^{}]{0,40}:-?|(?:lower|upper|env|sys|java|date|main|ctx|base64|::|map|bundle|script|dns|url|file|const)\s{0,9}:)|\bjndi\s{0,9}:\s{0,9}(?:ldaps?|rmi|dns|iiop|corba|nds|https?|nis)\b|\b(?:ldaps?|rmi|iiop):\/\/[^\s]{1,100}\/(?:\w|#)/i,
  }),
  patternRule({
    id: 'code-python',
    category,
    severity,
    message: 'Python that reaches the operating system',
    pattern:
      /__import__\s{0,9}\(|\bos(?<!\bline \d{1,6}, in [^\n]{1,80}\n\s{1,12}os)\s{0,9}\.\s{0,9}(?:system|popen|exec[lv]p?e?|spawn)\s{0,9}\(|\bsubprocess\s{0,9}\.\s{0,9}(?:popen|call|check_output|run|getoutput)|__(?:mro|subclasses|globals|builtins|bases?|reduce|getattribute)__\b.{0,200}(?:\(|\[|\.|\||'\])|['")\]}]\s{0,3}(?:\.|\[\s{0,3}['"])\s{0,3}__(?:(?:class|dict)__|init__(?!\s{0,3}\())|__(?:class|init|dict)__['"\]\s]{0,4}(?:\.|\[['"]|\|\s{0,3}attr\()\s{0,3}__(?!name|doc|module|qualname|init__\()\w|\battr\s{0,9}\(\s{0,9}['"]__|\bimportlib\.import_module\s{0,9}\(|^\s{0,9}(?:time\.sleep\s{0,9}\(\s{0,9}\d{1,5}\s{0,9}\)|breakpoint\s{0,9}\(\))\s{0,9}$|\bglobals\(\)\s{0,9}\[|\bimport\s{1,9}(?:os|subprocess|socket|pty|sys)\b\s{0,9};|\b(?:pickle|marshal|yaml)\.(?:loads?|unsafe_load)\s{0,9}\(|\bcommands\.getoutput|\bpty\.spawn|\bexec\s{0,9}\(\s{0,9}(?:compile|['"]import)|\bcompile\(\s{0,9}['"]|!!python\/(?:object|name|module|apply)|tag:yaml\.org,2002:(?:python|js|java)|!!js\/(?:function|regexp|undefined)|\bcPickle\b|\bcposix\nsystem|\bopen\s{0,9}\(\s{0,9}['"]\/(?:etc|proc)\//i,
  }),
  patternRule({
    id: 'code-node',
    category,
    severity,
    message: 'Node.js that reaches the operating system',
    pattern:
      /\brequire\s{0,9}\(\s{0,9}\\?['"`](?:node:)?(?:child_process\\?['"`]|(?:fs|os|net|https?|vm|cluster|dns|repl|worker_threads)\\?['"`]\s{0,9}\)\s{0,9}(?:\.|\[))|\bprocess\s{0,9}\.\s{0,9}(?:mainmodule|binding\s{0,9}\(|dlopen)|(?:^|[{(])[ \t]{0,3}process\.env\.\w{1,40}\s{0,3}(?:$|\})|(?:^|[;,(+={[])[ \t]{0,9}process\s{0,9}\.\s{0,9}(?:env\b\s{0,9}(?:[[)}]|$)|exit\s{0,9}\(|kill\s{0,9}\()|\bglobal\.process\b|\{\s{0,9}return\s{1,3}process\.env\s{0,3};?\s{0,3}\}|\bchild_process['"`]\s{0,9}\)\s{0,9}[.[]|\bchild_process\s{0,9}\.\s{0,9}(?:exec|spawn|fork)\w{0,10}\s{0,9}\(|\bfrom\s{1,9}['"](?:node:)?child_process|\b(?:root|globalthis|global)\.process\b|\b(?:while\s{0,9}\(\s{0,9}(?:1|true|!0)\s{0,9}\)|for\s{0,9}\(\s{0,9};\s{0,9};\s{0,9}\))\s{0,9}(?:\{\s{0,9}\}|;)|\b(?:execsync|spawnsync|execfilesync)\s{0,9}\(|_\$\$nd_func\$\$_|\bmodule\.constructor\._load|\bimport\s{0,9}\(\s{0,9}['"](?:node:)?child_process/i,
  }),
  patternRule({
    id: 'code-ruby-perl',
    category,
    severity,
    message: 'Ruby, Perl or Lua that reaches the operating system',
    pattern:
      /\bkernel\s{0,9}\.\s{0,9}(?:system|exec|open|fork|spawn)\b|\bio\.popen\s{0,9}\(|\b(?:instance_eval|class_eval|instance_variable_get|public_send|__send__)\s{0,9}[(\s]|%x[[({|!]\s{0,9}(?:id|ls|cat|whoami|uname|curl|wget|echo|ping|sleep|touch|nc|sh|bash|nslookup)\b|\bopen\s{0,9}\(\s{0,9}['"]\||\berb\.new\b|\bos\.execute\s{0,9}\(|\bio\.popen\b|\bpackage\.loadlib|\b--- !ruby\/|!ruby\/(?:object|hash|struct|array)/i,
  }),
  patternRule({
    id: 'code-prototype',
    category,
    message: 'Pollution of an object prototype',
    pattern: /(?:^|[[.'"{,\s])__proto__(?:[\].'":,\s[]|$)|\bconstructor(?:\]?\[|\.)\s{0,9}['"]?prototype\b/i,
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
    pattern:
      /[[:,=({\s'"`;]system\s{0,9}\(\s{0,9}(?:'[^']{1,200}'|"[^"]{1,200}")\s{0,9}(?:[,).;&|]|$)|\bexec\s{0,9}\(\s{0,9}(?:\[\s{0,9})?\\?['"][^'"]{1,200}['"][^)]{0,80}\)\s{0,9}\.(?:getinputstream|waitfor|text|start)|\.execute\s{0,9}\(\s{0,9}\)\s{0,9}\.text|\bshell_?exec(?:ute)?\s{0,9}\(|\bwscript\.shell\b|\bnew\s{1,9}activexobject|\bsystem\.diagnostics\.process|\bprocess\.start\s{0,9}\(|\bcreateobject\s{0,9}\(\s{0,9}['"]|\bexec\s{1,9}xp_/i,
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
    pattern:
      /^\s{0,9}[^\n]{0,200}(?:__import__\s{0,9}\(|\bos\.(?:system|popen)\s{0,9}\(\s{0,3}['"]|\bsubprocess\.\w{3,12}\s{0,9}\(|\bchild_process['"]\s{0,9}\)\s{0,9}\.|\bgetruntime\(\)\.exec\b|\bjndi\s{0,9}:\s{0,9}\w{3,5}:\/\/|\b(?:system|shell_exec|passthru)\s{0,9}\(\s{0,9}\$_)[^\n]{0,400}$/i,
  }),
];
