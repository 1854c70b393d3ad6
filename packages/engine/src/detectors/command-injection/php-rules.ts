import type { Rule } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import { anywhere, argumentParts, bodyParts, headParts, patternRule } from '../define.ts';

const category = 'command_injection' as const;
const severity = 'critical' as const;

/** PHP: what opens it, calls that run code or commands, and names of its own that a request should not carry. */
export const phpRules: readonly Rule[] = [
  patternRule({
    id: 'code-php-tag',
    category,
    severity,
    message: 'A tag that opens code of a server',
    pattern: verbose('i')`
      <\?(?:
        =\s{0,9}(?!(?:(?:htmlspecialchars|\$this->escape\w{0,12}|esc_\w{4,6}|e|h)\()?\$(?!_)\w{1,40}(?:->\w{1,40}|\['\w{1,40}'\]){0,4}\)?\s{0,3};?\s{0,3}\?>)(?:[\`$@('"]|[a-z_]\w{0,40}\s{0,9}\()
        |\s{0,9}(?:eval|system|echo|phpinfo|assert|include|require|@\s{0,3}[$\w]{3,40}[\s([{'"]|\$(?:\w{1,40}\s{0,3}(?:[=[({;.]|->)|[{$]))
        |[\s;]{0,9}\$_
      )
      |<script\s{1,9}language\s{0,9}=\s{0,9}['"]?php
      |\[\/?php\](?!\()
      |<%\s{0,9}(?:eval|execute|response\.write|request)\b
      |<jsp:(?:root|scriptlet|expression)
      |<%@\s{0,9}(?:page|register|import|assembly|webhandler|webservice|control|include|taglib)\b
      |<%!?=?[^%]{0,60}(?:runtime|request\.getparameter|out\.print|processbuilder)
    `,
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
    pattern: verbose('i')`
      \b(?:
        eval|assert|system|passthru|shell_exec|exec|popen|proc_open|pcntl_exec|create_function
        |call_user_func(?:_array)?|array_map|usort|preg_replace|file_put_contents|file_get_contents|readfile|fopen
        |include(?:_once)?|require(?:_once)?|unserialize|base64_decode|gzinflate|str_rot13|move_uploaded_file|die
        |print|echo|print_r|var_dump|md5
      )\s{0,9}\(?\s{0,9}(?:
        @?\$_(?:get|post|request|cookie|server|files|session)\b
        |@?\$\{?['"]?\w{0,20}\[
        |base64_decode\s{0,9}\(
        |gzinflate\s{0,9}\(
        |str_rot13\s{0,9}\(
        |chr\s{0,9}\(\s{0,9}\d
        |get_defined
        |getenv
        |current\s{0,9}\(
        |end\s{0,9}\(
        |hex2bin
        |pack\s{0,9}\(
      )
    `,
  }),
  patternRule({
    id: 'code-php-function',
    category,
    severity,
    message: 'A PHP function that runs commands, called with a text',
    pattern: verbose('i')`
      \b(?:eval|assert|unserialize|call_user_func)\s{0,9}\(\s{0,9}@?\$[a-z_]\w{0,20}\s{0,9}\)
      |(?<!\bos\.)\b(?:system|passthru|shell_exec|exec|popen|proc_open|pcntl_exec|assert|create_function)\s{0,9}
        (?:
          \/\*[^*]{0,40}\*\/\s{0,9}
        )?\(\s{0,9}(?:
          \\?['"](?:[^'"]{0,60}\b)?(?:
            id|ls|dir|cat|whoami|echo|ping|wget|curl|touch|uname|nc|bash|sh|cmd|powershell|type|rm|sleep|nslookup
            |ipconfig|ifconfig|phpinfo|eval|print|net|ps|pwd|python\d?|perl
          )\b
          |\$\w
          |chr\(
        )
      |\bcreate_function\s{0,9}\(\s{0,9}(?:''|""),\s{0,3}\S
      |\bphpinfo\s{0,9}\(\s{0,9}(?:-?\d{0,3}|info_\w{2,12})\s{0,9}\)
      |\$\{\s{0,9}@?(?:print|eval|phpinfo|system|assert|die)\b
      |\b(?:print|echo|die|var_dump|exit)\s{0,9}\(?\s{0,9}md5\s{0,9}\(
      |\b(?:file_put_contents|fputs|fwrite)\s{0,9}\(\s{0,9}[^)]{1,80}<\?
      |\bcall_user_func(?:_array)?\b
      |\bgetallheaders\s{0,9}\(
      |\bini_set\s{0,9}\(
      |\bset_time_limit\s{0,9}\(\s{0,9}0
      |\ballow_url_include\s{0,9}=
      |\(\s{0,9}['"]?(?:system|exec|passthru|shell_exec|assert|phpinfo|eval|popen|call_user_func)['"]?\s{0,9}\)
        \s{0,9}\(
      |['"](?:system|exec|passthru|shell_exec|assert|phpinfo)['"]\s{0,9}\(
      |\bauto_prepend_file\s{0,9}=
    `,
  }),
  patternRule({
    id: 'code-php-builtin',
    category,
    severity,
    message: 'A function that only PHP has, called for what it shows or runs',
    pattern: verbose('i')`
      \b(?:
        show_source
        |highlight_file
        |php_uname
        |phpversion
        |get_defined_(?:vars|functions|constants)
        |error_reporting
        |php_sapi_name
        |posix_get\w{2,10}
        |pfsockopen
        |apache_setenv
        |register_shutdown_function
        |register_tick_function
        |forward_static_call(?:_array)?
        |iterator_apply
        |array_(?:map|filter|walk|diff_ukey|udiff|uintersect)
        |gzuncompress
        |convert_uudecode
        |mb_ereg_replace
      )\s{0,9}\(\s{0,9}(?:\)\s{0,9};|['"_$\d\][(-]|__file__)
      |\b(?:php_uname|get_defined_vars)\s{0,9}\(
      |\bbase64_decode\s{0,9}\(\s{0,9}['"][A-Za-z0-9+/=]{4,}['"]
      |\b(?:var_dump|print_r|var_export|echo)\s{0,9}\(?\s{0,9}(?:
          scandir|glob|opendir|file|get_|getenv|php|\$globals\b|ini_get
        )
      |\b(?:file_get_contents|readfile|fopen)\s{0,9}\(\s{0,9}['"](?:https?:|php:|file:|ftp:|\/|\.\.\/|\.\/(?!(?<=\bfs(?:\.promises)?\.readFile\(['"]\.\/)[\w/-]{1,80}\.(?:json|txt|csv|md|html)['"]))
      |\bscandir\s{0,9}\(\s{0,9}['"][./]
      |\bputenv\s{0,9}\(\s{0,9}['"]ld_preload
      |\bgetenv\s{0,9}\(\s{0,9}['"][A-Z_]{3,30}['"]\s{0,9}\)\s{0,9};?\s{0,9}$
      |\breflection(?:function|method)\s{0,9}\(\s{0,9}['"]
      |\b(?:include|require)(?:_once)?\s{0,9}\(?\s{0,9}['"](?:https?|ftp|php|data):
      |\bextract\s{0,9}\(\s{0,9}\$_
      |\bnew\s{1,9}(?:splfileobject|directoryiterator|globiterator)\s{0,9}\(
    `,
  }),
  patternRule({
    id: 'code-php-assembled',
    category,
    severity,
    message: 'A PHP function name put together from strings, or a calculation or command echoed',
    pattern: verbose('i')`
      \(\s{0,9}['"]\w{1,20}['"][ ]?\.[ ]?['"]\w{1,20}['"]\s{0,9}\)\s{0,9}\(
      |\$\w{1,20}\s{0,9}=\s{0,9}['"][\w$]{1,40}['"](?:\s{0,9}\.\s{0,9}['"]\w{1,40}['"]){0,4}\s{0,9};\s{0,9}(?:
          @|echo\s|print\s
        ){0,2}\$\w{1,20}\s{0,9}\(
      |\bchr\s{0,9}\(\s{0,9}\d{2,3}\s{0,9}\)\s{0,9}\.\s{0,9}(?:chr\s{0,9}\(|['"]\w{1,20}['"]\s{0,9}\)\s{0,9}\()
      |\b(?:echo|print)\s{0,9}\(?\s{0,9}\d{2,9}\s{0,9}[*+]\s{0,9}\d{1,9}\s{0,9}\)?\s{0,9};
      |\b(?:echo|print|return)\s{0,9}\(?\s{0,9}\`(?![^\`\n]{0,80}\$\{)[^\`\n]{1,80}\`\s{0,9}\)?\s{0,9};
      |[([]~[\x80-\xff]{3,40}[)\]](?:\[~?[\x80-\xff\d]{1,8}\])?\s{0,9}\(
      |\(\w{1,12}\.\(\w{1,12}\)(?:\.\w{1,12})?\)\s?\(
      |\$_{1,9}\s{0,3}=\s{0,3}(?:@?\(?\[\]|@?['"!])[^;\n]{0,60};\s{0,3}\$_{1,9}\s{0,3}(?:=|\.=|\[)
    `,
  }),
  patternRule({
    id: 'code-php-made-name',
    category,
    severity,
    message: 'A PHP function called by a name that another function makes, or handed on to be called',
    pattern: verbose('i')`
      \b(?:strrev|str_rot13|hex2bin|base64_decode|implode|urldecode|chr)
      \s{0,3}\([^()\n]{1,80}\)\s{0,3}\(\s{0,3}['"$]
      |\[\s{0,3}['"]\w{3,20}['"]\s{0,3}\]\[\s{0,3}\d\s{0,3}\]\s{0,3}\(\s{0,3}['"$]
      |\b(?:ob_start|iterator_apply|array_walk|usort|uasort|uksort|new\s{1,3}reflectionfunction|is_callable|header_register_callback|set_error_handler)
      \s{0,3}\([^;\n]{0,80}['"](?:system|exec|shell_exec|passthru|popen|proc_open|pcntl_exec|eval|assert|phpinfo)['"]
      |\$\{\s{0,3}(?:\`[^\`\n]{1,80}\`|(?:file_put_contents|fopen|touch|unlink|copy|rename|chmod)\s{0,3}\()
      |\b(?:file_put_contents|symlink|move_uploaded_file)\s{0,3}\(\s{0,3}['"][^'"\n]{1,80}['"]\s{0,3},
      |(?:["';)(+]\s{0,3}|^\d{1,6}\s{0,3})(?:touch|unlink|rmdir|fopen|readfile|opendir|scandir)\s{0,3}\(\s{0,3}['"]\/[\w./-]{1,80}['"]
    `,
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
    pattern: verbose('i')`
      \$_(?:get|post|request|cookie|server|files|session|env)\s{0,9}(?:\{|(?:\[[^\]\n]{0,40}\]\s{0,3}){1,2}[(=\`])
      |[\`=@]\s{0,3}\$_(?:get|post|request|cookie|server)\s{0,9}\[[^\]\n]{0,40}\]\s{0,3}(?:[;\`(]|$)
      |\$globals\s{0,9}\[
      |\$\{['"]?_(?:get|post|request)
      |\{\$\{\s{0,3}@?(?:sleep|usleep|phpinfo|system|passthru|exec|shell_exec|eval|assert|die)\s{0,3}\(
    `,
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
    pattern: verbose('i')`
      \[['"]?#(?:
        post_render|pre_render|access_callback|lazy_builder|process|after_build|element_validate|validate|submit
        |theme_wrappers|value_callback|attached|markup
      )\b
    `,
  }),
  patternRule({
    id: 'code-php-route',
    category,
    severity,
    message: 'A framework route that calls any function',
    pattern: verbose('i')`
      \binvokefunction\b
      |think\\+(?:app|container|request|template|config|view)
      |s=\/?index\/+\\?think
      |_method=__construct
      |filter\[\]=(?:system|assert|exec|phpinfo|call_user_func)
      |\bfunction=call_user_func
    `,
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
    id: 'code-php-gadget',
    category,
    severity,
    message: 'A class that chains of PHP objects are made of, where a class is named',
    targets: argumentParts.map((part) => ({
      part,
      of: 'values' as const,
      path: /(?:^|[.[])(?:__)?class\]?$/i,
    })),
    pattern: verbose('i')`
      ^\\{0,2}(?:
        guzzlehttp\\{1,2}(?:psr7\\{1,2}(?:fnstream|pumpstream)|cookie\\{1,2}filecookiejar|handlerstack)
        |illuminate\\{1,2}(?:queue\\{1,2}callqueuedclosure|broadcasting\\{1,2}(?:pendingbroadcast|broadcastevent)|bus\\{1,2}dispatcher)
        |laravel\\{1,2}serializableclosure\\{1,2}\w{1,20}
        |monolog\\{1,2}handler\\{1,2}\w{4,30}
        |faker\\{1,2}\w{4,20}generator
        |think\\{1,2}(?:process\\{1,2}pipes\\{1,2}windows|model\\{1,2}pivot)
        |opis\\{1,2}closure\\{1,2}\w{4,30}
        |league\\{1,2}flysystem\\{1,2}urlgeneration\\{1,2}shardedprefixpublicurlgenerator
        |symfony\\{1,2}component\\{1,2}(?:process\\{1,2}process|cache\\{1,2}adapter\\{1,2}\w{4,30})
      )$
    `,
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
];
