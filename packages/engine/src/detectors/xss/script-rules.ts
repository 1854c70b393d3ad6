import type { Rule } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import { askedOfModels, patternRule, sourceLines } from '../define.ts';
import { ownHandler } from './handlers.ts';

const category = 'xss' as const;

/** objects through which all of a page can be reached */
const root = '(?:window|self|top|parent|frames|this|globalthis|document|opener|content|location|navigator)';
/** a comment or white space where a script may hold one */
const gap = '(?:\\s|\\/\\*[^*]{0,60}\\*\\/){0,9}';

/** Events of which browsers take a handler from an attribute. WHATWG HTML §8.1.8.2, Pointer Events, CSS Animations, SVG 2 */
const events = verbose('i')`
  (?:
    abort|after(?:print|scriptexecute)|animation(?:cancel|end|iteration|start)|auxclick|before(?:copy|cut|input|match|paste|print|toggle|unload)
    |begin|blur|bounce|cancel|canplay|change|click|close|command|contentvisibilityautostatechange|contextmenu|copy|cut|dblclick
    |drag(?:end|enter|leave|over|start)?|drop|durationchange|end|ended|error|finish|focus(?:in|out)?|formdata|fullscreenchange|gotpointercapture
    |hashchange|input|invalid|key(?:down|press|up)|load(?:eddata|edmetadata|start|end)?|lostpointercapture|message|mouse(?:down|enter|leave|move|out|over|up|wheel)
    |page(?:hide|show|reveal|swap)|paste|pause|play(?:ing)?|pointer(?:cancel|down|enter|leave|move|out|over|rawupdate|up)|popstate|progress|ratechange
    |repeat|reset|resize|scroll(?:end|snapchange|snapchanging)?|search|securitypolicyviolation|seek(?:ed|ing)|select(?:start|ionchange)?|show|slotchange
    |stalled|start|submit|suspend|timeupdate|toggle|touch(?:cancel|end|move|start)|transition(?:cancel|end|run|start)|unhandledrejection|unload
    |volumechange|waiting|webkit(?:animation(?:end|iteration|start)|fullscreenchange|transitionend)|wheel
  )
`;

const written: readonly Rule[] = [
  patternRule({
    id: 'xss-dialog',
    category,
    message: 'A call that opens a dialog, as probes for script execution do',
    pattern: verbose('i')`
      (?:
        ^
        |[^\w.$](?<!
            &gt;
            |^return\s(?=confirm\(['"][^'"()<>\\\`$]{2,200}['"]\)\s?;?$)
            |[a-z]{2,}[,:]?\s\`(?=\w{5,7}\(['"\w ]{0,12}\)\`\s[a-z]{2,})
            |(?<![<\w])(?!(?:return|typeof|void|new|in|else|do|case|delete|throw|await|yield|script) )
              [a-z]{2,15} (?=\w{5,7}\s?\(['"\w]{0,12}\)\s[a-z]{2,16}\s[a-z])
          )
        |\b(?:window|self|top|parent|frames|this|globalthis)\.
      )(?:alert|confirm|prompt)\s{0,9}(?:
        \((?!
          ['"\w]{0,12}\)\s(?:is|are|was|to|and|in|as|for|the|a|does|doesn't|works?|box|call|test|popup|payload)\s
          \w
        )(?!(?<=\s\()[a-z]{2,20}\s[a-z]{2,20}\b)(?!
          \s{0,3}\)(?:
            \s{1,3}[a-z]{2,20}[\s.,?!](?!\s{0,3}[=(])
            |[,.] (?:[a-z]{1,20} ){2,6}[a-z]{2,20}[.,?!]?(?: [a-z]|$)
          )
        )
        |(?<!\`\w{5,7})\`
        |\?\.\(
        |\.(?:call|apply|bind)\s{0,3}[(\`]
        |\/\*[^*]{0,40}\*\/\s{0,9}[(\`]
      )
    `,
  }),
  patternRule({
    id: 'xss-computed-access',
    category,
    message: 'A function of the page reached by a computed name',
    pattern: new RegExp(
      `\\b${root}(?!\\s{1,9}\\[\`[^\`]{1,40}\`\\]\\()${gap}\\[${gap}(?:(['"\`])[^'"\`\\]]{0,60}\\1${gap}(?:\\]${gap}[(\`\\[]|\\+)|\\/[^\\/\\s]{1,30}\\/\\.source|[(!+\\[]|(?:object\\.(?:keys|values|entries|getownpropertynames)|reflect\\.ownkeys)\\s?\\([^()\\n]{0,60}\\)[^\\n]{0,80}?\\]\\s?[(\`]|(?:string|atob|btoa|unescape|decodeuri\\w{0,10}|eval)\\b|\\d{1,12}(?:\\.\\.|\\))tostring)`,
      'i',
    ),
  }),
  patternRule({
    id: 'xss-symbols-only',
    category,
    message: 'Script written with brackets and signs alone',
    pattern: /(?:[!+]\[\]|\[\]\+|\{\}\+|\+\{\}|!!\[|\[\]\[\[)[[\](){}!+]{4,}/,
  }),
  patternRule({
    id: 'xss-constructor',
    category,
    message: 'Reaching Function through a constructor or prototype',
    pattern: verbose('i')`
      constructor\s{0,9}(?:
        \.\s{0,9}constructor|\.prototype\.\w{1,40}\s{0,9}=|\[\s{0,9}['"]constructor
        |\(\s{0,9}['"\`](?:[^'"\`]{0,80}\(|return)
      )
      |\[\s{0,9}(['"\`])constructor\1\s{0,9}\]
      |\.(?:sub|at|map|filter|find|some)\.(?:call\.call|constructor)\b
      |\bcharat\s{0,9}=\s{0,9}\[\]\.join
      |getownpropertydescriptor\(
      |\bnew\s{1,9}function\s{0,9}\(\s{0,9}['"\`]\w{0,20}['"\`]\s{0,9},
      |(?<!\`)\bfunction\`(?![\])*.,\s])[^\`\n]{1,80}[($\\]
      |\bfunction\s{0,9}\(\s{0,9}['"\`][^'"\`]{0,80}[('"\`]\s{0,9}\)\s{0,9}[(\`]
      |\bfunction\s{0,9}\((?:\s{0,3}(?:'[^'\n]{0,40}'|"[^"\n]{0,40}")\s{0,3}\+){1,8}\s{0,3}(?:'[^'\n]{0,40}'|"[^"\n]{0,40}")\s{0,3}\)\s{0,9}[(\`]
    `,
  }),
  patternRule({
    id: 'xss-angular',
    category,
    message: 'An AngularJS or Vue expression that escapes its sandbox',
    pattern: verbose('i')`
      \{\{(?:[^{}]|\{(?!\{)){0,120}(?:
        constructor
        |\$(?:eval|on|event|parse|watch|root|emit|compile)
        |tostring\(\)
        |_c\.
        |alert
        |prompt
        |confirm
        |eval\(
        |fromcharcode
      )
      |\|\s{0,9}orderby\s{0,9}:
      |\bng-(?:app|init|csp|focus|mouse\w{1,10}|click|include|bind-html)\s{0,9}=
      |\bv-(?:html|on:\w{1,20}|bind)\s{0,9}=
      |\$event\.(?:view|path|composedpath)
      |\bx-(?:init|data|html)\s{0,9}=
    `,
  }),
  patternRule({
    id: 'xss-page-secrets',
    category,
    message: 'Reading cookies or the like and handing them on',
    pattern: verbose('i')`
      # Behind a word and a space no program reads it: 'accessing document.cookie'
      \bdocument(?<!(?:^|[\s("])(?!(?:return|typeof|void|in|of|new|delete|throw|case|else|do|instanceof|await|yield|default|extends|as|from|export|const|let|var)\x20)[a-z]{2,20}\x20document)\)?(?!
        \.(?:cookie|domain)\s(?:
          api|is|are|was|property|object|value|and|or|in|from|the|which|that|for|to|with|has|can|does
        )\s[a-z]
      )(?:(?:\s{0,9}\/\*[^*]{0,40}\*\/|\s)\s{0,9}\.\s{0,9}|\.|(?:\s{0,9}\/\*[^*]{0,40}\*\/)?\)?\s{0,9}\[['"\`])(?:
        \s{0,9}\/\*[^*]{0,40}\*\/
      )?(?:
        cookie|domain|write(?:ln)?\s{0,9}[(\`]|body\.(?:append|innerhtml)|documentelement\.(?:inner|outer)html
        |location\s{0,9}=|forms\[|createelement\(\s{0,9}['"\`]script
      )
    `,
  }),
  patternRule({
    id: 'xss-evaluation',
    category,
    message: 'Script made from a string',
    pattern: verbose('i')`
      (?:^|[^\w.$\`-]|\`(?!\w{4,12}\([^\`\n]{0,60}\)\`))(?:eval|execscript|settimeout|setinterval|setimmediate)\s{0,9}
      (?:
        \(|\`|\?\.\(|\.call\(|\.apply\(
      )\s{0,9}(?:
        ['"\`/]|name\b|atob\b|unescape\b|string\b|location\b|document\b|window\b|self\b|top\b|this\b|decodeuri
        |alert|url\b|\w{1,3}\)|\/\*
      )
      |^\s{0,3}\$eval\s{0,3}\(\s{0,3}['"]
      |\bstring\s{0,9}(?:\.\s{0,9}fromcharcode|\[['"\`]fromcharcode)
      |\batob\s{0,9}[(\`]\s{0,9}['"\`]
    `,
  }),
  patternRule({
    id: 'xss-location',
    category,
    message: 'Sending the page elsewhere or to a script address',
    pattern: verbose('i')`
      \b(?:location(?:\.href|\.hash)?|window\.open|location\.(?:assign|replace))\s{0,9}(?:=|\()\s{0,9}(?:
        ['"\`]?\s{0,9}(?:javascript|data|vbscript)\s{0,9}:
        |name\b
        |location\.hash
        |atob\(
      )
      |(?:^|[;'"\`(),{])\s{0,9}location\s{0,9}=\s{0,9}(?:name|['"\`])
    `,
  }),
  patternRule({
    id: 'xss-script-address',
    category,
    message: 'An address that is a script',
    pattern: verbose('i')`
      (?:^|[\s\x00-\x1f'"\`=(<>,;:/])j\s{0,3}a\s{0,3}v\s{0,3}a\s{0,3}s\s{0,3}c\s{0,3}r\s{0,3}i\s{0,3}p\s{0,3}t\s{0,3}:(?!
        \s{0,3}(?:void\s{0,3}\(?\s{0,3}0?\s{0,3}\)?)?\s{0,3};?\s{0,3}(?:$|["'\\)]|<\/[a-z])
        # ServiceNow evaluates this in its own queries: nothing, '@' or '^active=true' behind it. A page may know a 'gs',
        # but to whoever reads a script what is set equal to such a value, and '@', is an error.
        |gs\.\w{1,40}\([\w'", .-]{0,60}\)(?:$|@|(?:[\^&]\w[\w.]{0,80}){1,8}(?:$|=(?!=)))
      )[^\n]{0,200}[(\`=/"'+[]
    `,
    gate: {
      allOf: [
        // Before the colon stands the last letter or white space of any kind.
        ['t:', ' :', '\t:', '\n:', '\v:', '\f:', '\r:', '\xa0:'],
        ['(', '`', '=', '/', "'", '"', '+', '['],
      ],
    },
  }),
  patternRule({
    id: 'xss-vbscript-address',
    category,
    message: 'An address that is a script or a page of its own',
    pattern: verbose('i')`
      (?:^|(?<!\burl\(['"]?)[\s'"\`=(<>])(?:
        vbscript\s{0,9}:\s{0,9}\w
        |livescript:
        |data\s{0,9}:\s{0,9}text\/(?:html|javascript)\s{0,9}[;,]
        # a picture draws; what else it holds may run where it is opened by itself
        |data\s{0,9}:\s{0,9}image\/svg\+xml[^,]{0,40},\s{0,9}(?:%3c|<|&lt)(?=[^\0]{0,4000}(?:script|\bon[a-z]{3,20}(?:\s|%20)?(?:=|%3d)|foreignobject|(?:<|%3c|&lt;)(?:!entity|iframe|animate|set\b|handler)))
      )
    `,
  }),
  patternRule({
    id: 'xss-attribute-breakout',
    category,
    message: 'A quote that ends an attribute, and a handler after it',
    pattern: new RegExp(
      `(?:^|["'\`\\s/])[\\s/]{0,9}(?<!\\b(?:var|let|const)\\s)on(?:[a-z]{3,40})\\s{0,9}=\\s{0,9}(?!(["'])\\s{0,3}${ownHandler}\\s{0,3}\\1)(?:["'\`]?\\s{0,9}[\\w$.[\\]'"\`]{1,60}\\s{0,9}(?:[(\`]|=)|["'\`]?\\s{0,9}(?:javascript|\\/\\/|\\[|&#|\\\\|eval|throw|import))`,
      'i',
    ),
  }),
  patternRule({
    id: 'xss-attribute-added',
    category,
    message: 'A handler among the attributes of the element that the value lands in',
    parts: ['query', 'form', 'json', 'multipart', 'cookie', 'path'],
    sensitivity: 'medium',
    pattern: verbose('i')`
      ^[^<>"'\n]{0,40}["'][\s/]{0,4}(?:(?:autofocus|tabindex=\d|\w)[\s/]{1,3})?on${events}\s{0,3}=\s{0,3}
      (?!(["'])\s{0,3}${new RegExp(ownHandler)}\s{0,3}(?:\1|$)|${new RegExp(ownHandler)}\s{0,3}(?:[\s>]|$))[^\s=]
      |^\s{0,9}(?:(?:autofocus|tabindex=\d|\w)[\s/]{1,3})?on${events}\s{0,3}=\s{0,3}(?!["']\s{0,3}${new RegExp(ownHandler)}\s{0,3}["'])
      ["'(]
    `,
  }),
  patternRule({
    id: 'xss-handler-assignment',
    category,
    message: 'A handler given to the error event, or a conversion that calls',
    pattern: verbose('i')`
      \bon(?:error|load)\s{0,9}=\s{0,9}(?:alert|eval|prompt|confirm|setTimeout|top|window|self|Function)\b
      |\b(?:valueof|tostring|hasinstance\]?|toprimitive\]?)\s{0,9}[=:]\s{0,9}(?:alert|eval|prompt|confirm|print|window)\b
      |\{\s{0,9}(?:get|set|apply|construct|has)\s{0,9}:\s{0,9}(?:alert|eval|prompt|confirm|print)\s{0,9}\}
      |[\w)]\.on[a-z]{3,20}\s{0,9}=\s{0,9}(?:alert|eval|prompt|confirm|print)\s{0,3}(?:$|[;,)}\]/"'\`])
      |\bon(?:error|unhandledrejection|hashchange|focus|message|load)\s{0,9}=\s{0,9}\w{1,20}\s{0,9}[;}]\s{0,9}(?:throw\s{0,3}(?:['"\`{\d/]|\w{1,12}\s{0,3}(?:$|[;,}/]))|location\s{0,3}[=.]|dispatchevent\(|postmessage\(|promise\.)
      |\{\s{0,9}(?:get|set)\s{1,9}\w{1,12}\(\w{0,12}\)\s{0,9}\{\s{0,9}(?:alert|eval|prompt|confirm|print)\s{0,9}[(\`]
      |\{\s{0,9}(?:alert|eval|prompt|confirm|print|fetch)\s{0,9}:\s{0,9}\w{1,12}\s{0,9}\}\s{0,9}=\s{0,9}(?:self|window|top|globalthis|parent|this)\b
      |\bthrow\s{1,9}(?:onerror|\/[^/]{1,20}\/\.source|['"\`{\d])[^\n]{0,80}(?:onerror|alert)
      |\breflect\.(?:apply|construct|get|set)\((?!target\b)
      |\.(?:map|find|some|every|foreach|filter|findindex|sort|replace|from)\(\s{0,9}(?:\/[^/]{0,20}\/,\s{0,9})?
        (?:
          alert|eval|prompt|confirm
        )\b
      |\bwith\s{0,9}\(\s{0,9}(?:document|window|location|string)
      |\b(?:frames|self|top|window)\s{0,9}\[\s{0,9}\d\s{0,9}\]\s{0,9}\[
      |\bobject\.assign\s{0,9}\(\s{0,9}(?:window|self|top)
      |=>\s{0,9}(?:alert|eval|prompt|confirm)\b
      |\b(?:alert|prompt|confirm)\s{0,9}(?:\`|\))\s{0,9}[(\`]
      |[=,([]\s{0,9}(?:alert|confirm|prompt)\s{0,9}(?:[;)]|,(?!\s[a-z]{3})|\](?!\())
    `,
  }),
  patternRule({
    id: 'xss-remote-script',
    category,
    message: 'Script loaded from elsewhere',
    pattern: verbose('i')`
      \bimport\s{0,9}\(\s{0,9}['"\`](?:https?:)?\/\/
      |\$\.getscript\s{0,9}\(\s{0,9}['"\`](?:https?:)?\/\/
      |\b(?:
          fetch
          |\$\.(?:get|getscript|ajax)
          |navigator\.sendbeacon
          |importscripts
          |new\s{1,9}(?:image|websocket|worker|xmlhttprequest)
        )\s{0,9}\(\s{0,9}(?:['"\`](?:https?:)?\/\/[^'"\`]{0,200}['"\`]\s{0,9}\+|\)\s{0,9}\.src\s{0,9}=)
      |\.src\s{0,9}=\s{0,9}['"\`](?:https?:)?\/\/[^'"\`]{1,120}['"\`]\s{0,9}\+\s{0,9}(?:
          document|escape|btoa|encodeuri
        )
    `,
  }),
  patternRule({
    id: 'xss-style-script',
    category,
    message: 'A style that runs script',
    pattern: verbose('i')`
      (?:^|[\s:;"'({])(?:
        expression\s{0,9}\(\s{0,9}(?:alert|eval|document|window|this|\w{1,12}\()
        |-moz-binding\s{0,9}:
        |behaviou?r\s{0,9}:\s{0,9}url\s{0,9}\(
        |url\s{0,9}\(\s{0,9}['"]?\s{0,9}(?:javascript|vbscript):
      )
      |@import\s{0,9}(?:url\(|['"])\s{0,9}['"]?(?:javascript|data|\/\/)
      |<style[^>]{0,80}>[^<]{0,200}@import\s{0,9}(?:url\(|['"])
    `,
  }),
  patternRule({
    id: 'xss-string-breakout',
    category,
    message: 'A quote that ends a string of a script, and a call after it',
    pattern: verbose('i')`
      (?:^|[^\\])["'\`](?<!^[^'"\`]{0,200}(?:\(['"\`][\w@./ -]{0,60}|['"]use\sstrict)["'\`])(?!(?<==["'][\w -]{0,60}["'])>)[\s)}\]]{0,9}
      (?:
        [;,+*/%&|^<>?-]|:(?!\s{0,3}\n)|\|\||&&|\bin\b|\binstanceof\b
      ){1,3}\s{0,9}(?:\w{1,20}\.){0,3}(?:
        (?:
          alert|confirm|prompt|eval|print|fetch|import|settimeout|setinterval|open|atob
          |(?<!\n\s{0,12})console\.\w{1,10}|\$\.\w{1,20}|location|document
        )\s{0,9}(?:\(|=[^=])
        |(?:alert|confirm|prompt|eval|print)(?:\?\.\(|\.(?:call|apply|bind)[(\`]|\/\*)
        |[(\[{]{1,2}(?:\w{1,3}:)?(?:alert|confirm|prompt|eval|print)(?:[\])}]{1,2}|\s{0,3}[(\`])
        |new\s{1,3}(?:class\s{0,3}\{|class\s{1,3}\w{1,12}\s{0,3}\{|proxy\(|function\(|worker\()
        |(?:\w{1,9}\.)?on[a-z]{3,20}\s{0,3}=\s{0,3}\w{1,20}\s{0,3}[;}]
        |throw\s{0,3}(?:onerror|[\{'"\`/]|\d|new\s|\w{1,12}\s?=)
        |addeventlistener\(
        |object\.defineproperty\(\s{0,3}(?:self|window|top|globalthis)
        |\(?\[?\{\s{0,3}(?:valueof|tostring|\[symbol\.)
        |(?:alert|confirm|prompt|eval|settimeout|setinterval|print)\s{0,9}\`
        |(?:location|document)\s{0,9}\.\w
      )
    `,
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'xss-template-literal',
    category,
    message: 'A call inside a template literal',
    pattern:
      /\$\{\s{0,9}(?:(?:alert|confirm|prompt|eval|print|fetch|import)\b|document\.|window\.|location|self\.|top\.|this\.constructor)/i,
  }),
];

/** Browsers report a piece of the script that a policy stopped. CSP 3 §5.3, Reporting API §2.2. */
const reported = new RegExp(`(?:^|\\.)script-sample$|^(?:\\d{1,3}\\.)?body\\.sample$|${sourceLines.source}`);

const askedOrReported = new RegExp(`${reported.source}|${askedOfModels.source}`);
/** What any program of a page holds. Markup, handlers and addresses that would run it where it is shown are judged everywhere. */
const ofPrograms: ReadonlySet<string> = new Set([
  'xss-dialog',
  'xss-page-secrets',
  'xss-evaluation',
  'xss-location',
  'xss-remote-script',
  'xss-string-breakout',
  'xss-template-literal',
]);

/** Scripts by what they do, for where no tag shows them: inside a handler, a template, a string of a script. */
export const scriptRules: readonly Rule[] = written.map((rule) => {
  const notPath = ofPrograms.has(rule.id) ? askedOrReported : reported;
  return {
    ...rule,
    targets: rule.targets.map((target) => (target.part === 'json' ? { ...target, notPath } : target)),
  };
});
