/** What the window itself calls by a bare name; whatever else a handler calls, the page must have defined. */
const ofWindow =
  'alert|confirm|prompt|print|eval|fetch|open|close|stop|find|focus|blur|import|require|function|settimeout|setinterval|setimmediate|execscript|requestanimationframe|queuemicrotask|atob|btoa|unescape|escape|decodeuri\\w{0,10}|importscripts|postmessage|structuredclone|reporterror|getcomputedstyle|location|document|window|self|top|parent|frames|name|reflect|object|array|string|promise|proxy|jquery';

const literal =
  '(?:this|event|true|false|null|[-\\w.]{0,30}|\\x27[\\w #./:-]{0,60}\\x27|"[\\w #./:-]{0,60}"|&quot;[\\w #./:-]{0,60}&quot;)';

const call = `(?!(?:${ofWindow})\\b)[a-z_$][\\w$]{3,40}\\(\\s?${literal}(?:,\\s?${literal}){0,4}\\s?\\)`;
/** What an element does to itself: `this.onerror=null`, `this.style.display='none'`, a picture of the site in place of one that is gone. */
const own =
  "this\\.(?:(?:style\\.[a-z]{2,20}|hidden|disabled|checked|value|alt|title|onerror|onload)\\s?=\\s?(?:null|true|false|\\d{1,5}|'[\\w #.%-]{0,40}')|src\\s?=\\s?'(?:https:\\/)?\\/[\\w./-]{1,120}')";
const statement = `(?:return\\s{1,3}(?:false|true)|(?:return\\s{1,3})?(?:${call})|${own}|false|true)`;

/**
 * The source of an expression for a handler that asks for nothing but the page's own functions or the element itself:
 * `return false`, `toggleMenu(this, 2)`. Editors store such markup; it gives an attacker nothing that the page did not.
 */
export const ownHandler = `${statement}(?:\\s?;\\s?${statement}){0,3}\\s?;?`;
