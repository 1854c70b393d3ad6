/** What the window itself calls by a bare name; whatever else a handler calls, the page must have defined. */
const ofWindow =
  'alert|confirm|prompt|print|eval|fetch|open|close|stop|find|focus|blur|import|require|function|settimeout|setinterval|setimmediate|execscript|requestanimationframe|queuemicrotask|atob|btoa|unescape|escape|decodeuri\\w{0,10}|importscripts|postmessage|structuredclone|reporterror|getcomputedstyle|location|document|window|self|top|parent|frames|name|reflect|object|array|string|promise|proxy|jquery';

const literal =
  '(?:this|event|true|false|null|[-\\w.]{0,30}|\\x27[\\w #./:-]{0,60}\\x27|"[\\w #./:-]{0,60}"|&quot;[\\w #./:-]{0,60}&quot;)';

/**
 * The source of an expression for a handler that asks for nothing but the page's own function, or for nothing at all:
 * `return false`, `toggleMenu(this, 2)`. Editors store such markup; it gives an attacker nothing that the page did not.
 */
export const ownHandler = `(?:return\\s{1,3})?(?:(?:false|true)|(?!(?:${ofWindow})\\b)[a-z_$][\\w$]{3,40}\\(\\s?${literal}(?:,\\s?${literal}){0,4}\\s?\\))\\s?;?(?:\\s?return\\s(?:false|true)\\s?;?)?`;
