import { htmlEntityDecode, urlDecode } from '../../decode/index.ts';
import type { Detector, Finding } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import { ownHandler } from './handlers.ts';
import { type Attribute, readTags, type Tag } from './markup.ts';

export const htmlFindings = [
  'script element',
  'known script',
  'event handler',
  'script url',
  'active element',
  'linked style',
  'framing element',
  'embedded page',
  'context left',
  'clobbering name',
  'style script',
  'animated link',
  'dangling markup',
  'markup',
] as const;
export type HtmlFinding = (typeof htmlFindings)[number];

/** Elements that run, load or redirect without any handler. */
const active = new Set([
  'object',
  'embed',
  'applet',
  'base',
  'frameset',
  'bgsound',
  'layer',
  'ilayer',
  'isindex',
  'xml',
  'portal',
  'fencedframe',
  'vmlframe',
]);
const framing = new Set(['iframe', 'frame']);

/** Attributes that a browser follows or loads. */
const addressed = new Set(
  (
    'href xlink:href src action formaction data from to value values by background poster srcset lowsrc dynsrc code ' +
    'codebase content cite longdesc ping manifest profile usemap classid archive folder'
  ).split(' '),
);

const eventHandler = /^[^a-z]{0,3}on[a-z]{3,40}$/;

const harmlessHandler = new RegExp(`^\\s{0,9}(?:${ownHandler})?\\s{0,9}$`, 'i');

/** Reads markup as a browser would and reports what in it runs script. */
export const htmlDetector: Detector = {
  name: 'html structure',
  gate: { allOf: [['<']] },
  detect: detectHtml,
};

function detectHtml(text: string): Finding[] {
  const found = new Map<HtmlFinding, Finding>();
  const said = new Map<Attribute, Said>();
  for (const tag of readTags(text)) {
    const report: Report = (kind) => {
      if (!found.has(kind)) found.set(kind, { kind, span: [tag.start, tag.end] });
    };
    judge(tag, text, said, report);
  }
  const left = leavesContext(text);
  if (left) found.set('context left', { kind: 'context left', span: left });
  return [...found.values()];
}

const closing =
  /<\/(script|style|title|textarea|noscript|template|noembed|xmp|iframe)\s{0,9}>\s{0,9}[^<]{0,20}<\s{0,9}[a-z/!]/gi;

/** From here on a text may be a cut of a longer one, and what it closes may have been opened before. */
const longText = 8000;

/** Where a tag closes an element that the text did not open, and markup follows: it leaves what it landed in. */
function leavesContext(text: string): readonly [start: number, end: number] | undefined {
  if (text.length > longText || !text.includes('</')) return undefined;
  let folded: string | undefined;
  for (const match of text.matchAll(closing)) {
    folded ??= text.toLowerCase();
    if (!folded.slice(0, match.index).includes(`<${match[1]?.toLowerCase()}`))
      return [match.index, match.index + match[0].length];
  }
  return undefined;
}

type Report = (kind: HtmlFinding) => void;

/** What an attribute says by itself, and so in each of the tags that it is read in. */
interface Said {
  readonly handler: boolean;
  /** an image that holds script, which no `<img>` runs */
  readonly url: 'script' | 'image' | undefined;
  readonly clobbers: boolean;
  readonly style: boolean;
  readonly dangling: boolean;
}

function judge(tag: Tag, text: string, said: Map<Attribute, Said>, report: Report): void {
  const { attributes } = tag;
  const name = tag.name.slice(tag.name.indexOf(':') + 1);
  const isUsed = attributes.some(({ hasValue }) => hasValue);
  if (name === 'script' && (tag.closed || isUsed) && !isInert(tag, text))
    report(isKnownScript(tag) ? 'known script' : 'script element');
  // `<object>` alone is prose or a generic type; with an attribute that loads it is not.
  if (isUsed) {
    judgeElement(name, attributes, report);
    judgeAttributes(tag, name, said, report);
  }
  if (knownElements.has(name)) report('markup');
}

/** Judges an element by what its attributes say together. */
function judgeElement(name: string, attributes: readonly Attribute[], report: Report): void {
  if (active.has(name)) report('active element');
  // A form, or a button that sends another's form, takes what the visitor types elsewhere.
  if (
    attributes.some(
      ({ name: one, value }) =>
        (one === 'formaction' || (one === 'action' && name === 'form')) && /^(?:https?:)?\/\//i.test(value),
    )
  )
    report('active element');
  if (framing.has(name)) report(judgeFrame(attributes));
  if (
    name === 'meta' &&
    attributes.some(
      ({ name: one, value }) => one === 'http-equiv' && /refresh|set-cookie|content-security/i.test(value),
    )
  )
    report('active element');
  if (name === 'link') {
    if (attributes.some(({ name: one, value }) => one === 'rel' && /import/i.test(value)))
      report('active element');
    const linked = judgeLink(attributes);
    if (linked) report(linked);
  }
  if (
    (name === 'set' || name.startsWith('animate')) &&
    /^(?:set|animate\w{0,12})$/.test(name) &&
    attributes.some(({ name: one, value }) => one === 'attributename' && /href|^on|style/i.test(value))
  )
    report('animated link');
}

function judgeFrame(attributes: readonly Attribute[]): HtmlFinding {
  if (attributes.some(({ name }) => name === 'srcdoc')) return 'active element';
  return isEmbed(attributes) ? 'embedded page' : 'framing element';
}

function judgeAttributes(
  { attributes, closed }: Tag,
  element: string,
  said: Map<Attribute, Said>,
  report: Report,
): void {
  let dangles = false;
  for (const attribute of attributes) {
    if (!attribute.hasValue) continue;
    const known = said.get(attribute) ?? judgeAttribute(attribute);
    said.set(attribute, known);
    const { handler, url, clobbers, style, dangling } = known;
    if (handler) report('event handler');
    if (url === 'script' || (url === 'image' && element !== 'img')) report('script url');
    if (clobbers && !elementsOfText.test(element)) report('clobbering name');
    if (style) report('style script');
    dangles ||= dangling;
  }
  if (dangles && !closed) report('dangling markup');
}

function judgeAttribute({ name, value }: Attribute): Said {
  const isAddress = addressed.has(name);
  return {
    // `onClick={…}` is JSX, which no browser runs; what a handler calls is judged by the script rules.
    handler: eventHandler.test(name) && !value.startsWith('{') && !harmlessHandler.test(value),
    url: isAddress ? scriptUrl(value) : undefined,
    clobbers: (name === 'id' || name === 'name') && clobbering.test(value),
    style: name === 'style' && isScriptStyle(value),
    dangling: isAddress && /^(?:https?:)?\/\//i.test(value) && /[<\n]|\?$/.test(value),
  };
}

/** The `<script>` of a sentence in Markdown, which nothing but another code span closes. */
function isCodeSpan(text: string, end: number): boolean {
  return (
    text.startsWith('`<', end - '`<script>'.length) &&
    /^`(?:[\s.,:;!?)]|$)/.test(text.slice(end, end + 2)) &&
    !/(?<!`)<\/script/i.test(text.slice(end))
  );
}

/** 'The <script> tag goes in the <head>', 'the <script writers> of Hollywood': words, and nothing that a script needs. */
function isInert(tag: Tag, text: string): boolean {
  return isDataBlock(tag) || isMention(tag, text);
}

/** A script of a type that no browser runs: what a page says of itself to search engines. WHATWG HTML §4.12.1, data block. */
function isDataBlock({ attributes, closed }: Tag): boolean {
  const type = attributes.find(({ name }) => name === 'type')?.value;
  return closed && type !== undefined && /^application\/(?:ld\+)?json$/i.test(type);
}

function isMention({ attributes, start, end }: Tag, text: string): boolean {
  if (
    attributes.length > 1 ||
    attributes.some(
      ({ name, value, hasValue }) =>
        !/^[a-z]{3,20}$/.test(name) || (hasValue && !(name === 'type' && /^[a-z/]{3,20}$/.test(value))),
    )
  )
    return false;
  // 'blocks my inline <script nonce>': the end of a sentence
  if (/^[\s.,:;!?)]{0,3}$/.test(text.slice(end)) && /^[^<>]*[a-z]{2} $/i.test(text.slice(0, start)))
    return true;
  if (isCodeSpan(text, end)) return true;
  const rest = text.slice(end, end + 120);
  const next = rest.indexOf('<');
  const content = next < 0 ? rest : rest.slice(0, next);
  // `&lt;script&gt; lol`: words, and nothing to the end that a script could call
  if (
    content.length < 120 &&
    /^[^(`=+[\]{}<>\\;:/]{0,120}$/.test(content) &&
    /[a-z]{2}/i.test(content) &&
    !/<\/script|[(`]/i.test(text.slice(end))
  )
    return true;
  return (
    /^(?:[\s,.]{1,3}(?:and|or|tags?|elements?|blocks?|handling|in|is|was|are|inside|with|goes|to|at|on|of|not)\b)[^(`=+[\]{}<>\\]{0,24}/i.test(
      content,
    ) && !/^<\/script/i.test(rest.slice(next))
  );
}

const visibleSize = /^(?:[2-9]\d|[1-9]\d{2,3})(?:px|%)?$|^100%$/;

/** Players and maps that editors of content embed; where a style sizes them, their frames state no size. */
const player = verbose('i')`
  ^(?:https:)?\/\/(?:
    (?:www\.)?youtube(?:-nocookie)?\.com\/embed\/
    |player\.vimeo\.com\/video\/
    |(?:www\.)?google\.com\/maps\/embed\?
    |open\.spotify\.com\/embed\/
    |w\.soundcloud\.com\/player\/
    |(?:www\.)?dailymotion\.com\/embed\/
  )
`;

/**
 * Scripts that networks give out to show what somebody posted there: one file of theirs, the same for everybody, with
 * nothing of the writer's in it. No path of these hosts besides, and no attribute that could run something else.
 */
const widget = verbose('i')`
  ^(?:https:)?\/\/(?:
    platform\.(?:twitter|x)\.com\/widgets\.js
    |(?:www|platform)\.instagram\.com\/(?:en_us\/)?embeds?\.js
    |www\.tiktok\.com\/embed\.js
    |connect\.facebook\.net\/[a-z]{2}_[a-z]{2}\/sdk\.js
    |embed\.(?:reddit\.com|redditmedia\.com)\/widgets(?:\/platform)?\.js
    |assets\.pinterest\.com\/js\/pinit\.js
    |s\.imgur\.com\/min\/embed\.js
    |embedr\.flickr\.com\/assets\/client-code\.js
    |player\.vimeo\.com\/api\/player\.js
    |www\.youtube\.com\/iframe_api
    |gist\.github\.com\/[\w-]{1,40}\/[0-9a-f]{20,40}\.js
    |assets\.calendly\.com\/assets\/external\/widget\.js
    |embed\.typeform\.com\/next\/embed\.js
  )(?:#[\w=.&]{0,80})?$
`;

/**
 * A script of the site itself, as pages, and those who record or show pages, name it: a quoted path without a step up, not to
 * where visitors leave files, with at most a version behind it.
 */
const ownScript = verbose('i')`
  ^\/(?!\/)(?!(?:[^?]{0,200}\/)?(?:uploads?|files?|media|attachments?|users?|avatars?|tmp|temp|public|storage)\/)
  (?:
    [\w@-][\w.@-]{0,60}\/
  ){0,8}[\w@-][\w.@-]{0,80}\.m?js(?:\?(?:v|ver|t|hash|id)=[\w.-]{1,40})?$
`;

function isKnownScript({ attributes, closed }: Tag): boolean {
  return (
    closed &&
    attributes.filter(({ name }) => name === 'src').length === 1 &&
    attributes.every(({ name, value }) =>
      name === 'src'
        ? widget.test(value) || ownScript.test(value)
        : /^(?:async|defer|charset|crossorigin|nonce|type)$/.test(name),
    )
  );
}

/** What sites give to embed a video or a map: an https page of a stated, visible size and nothing laid over the site. */
function isEmbed(attributes: readonly Attribute[]): boolean {
  const of = (name: string): string => attributes.find((one) => one.name === name)?.value ?? '';
  return (
    /^(?:https:)?\/\/[\w-]{1,60}(?:\.[\w-]{1,60}){1,5}\/[^\s<>"']{1,500}$/i.test(of('src')) &&
    [of('width'), of('height')].every((size) => size === '' || visibleSize.test(size)) &&
    (of('width') + of('height') !== '' || player.test(of('src'))) &&
    !/position|opacity|z-index|visibility|display\s*:\s*none|transform|clip/i.test(of('style'))
  );
}

function judgeLink(attributes: readonly Attribute[]): HtmlFinding | undefined {
  const rel = attributes.find(({ name }) => name === 'rel')?.value ?? '';
  if (!/import|stylesheet|prefetch|preload/i.test(rel)) return undefined;
  return isPlainStylesheet(attributes) ? 'linked style' : 'active element';
}

/** A style sheet as editors and templates link it: quoted by its whole https address or a path of the site itself. */
function isPlainStylesheet(attributes: readonly Attribute[]): boolean {
  return (
    attributes.some(({ name, value }) => name === 'rel' && /^stylesheet$/i.test(value)) &&
    attributes.some(
      ({ name, value }) =>
        name === 'href' &&
        /^(?:https:\/\/[\w-]{1,60}(?:\.[\w-]{1,60}){1,5}\/[^\s<>"']{1,500}|\/[\w-][^\s<>"']{0,300}\.css(?:\?[\w.=&-]{0,60})?)$/i.test(
          value,
        ),
    )
  );
}

/** Their ids are anchors (`<h2 id="attributes">`): neither `document` nor a form is asked for them. HTML, DOM tree accessors */
const elementsOfText =
  /^(?:h[1-6]|p|div|span|section|article|li|d[dt]|t[dhr]|code|pre|summary|details|figure)$/;

/** Names of the document's own properties and methods, which an element of that name hides from scripts. */
const clobbering = verbose()`
  ^(?:
    getElement(?:s?By\w+)|querySelector(?:All)?|currentScript|attributes|defaultView|innerHTML|childNodes
    |parentNode|ownerDocument|createElement|documentElement|implementation|firstChild|appendChild|nodeName
    |nodeType|removeAttribute\w*|setAttribute\w*|baseURI|contentWindow|__proto__
  )$
`;

const knownElements = new Set(
  (
    'a abbr address area article audio b big blink body br button canvas center code details dialog div em fieldset ' +
    'font footer form h1 h2 h3 h4 h5 h6 head header html i image img input keygen label li main map marquee math menu ' +
    'nav noscript ol option p picture plaintext pre section select small source span strong style sub summary sup svg ' +
    'table tbody td template textarea th title tr track tt u ul var video xmp'
  ).split(' '),
);

/** Browsers drop control characters and white space in a scheme, and decode references before they look. */
function scriptUrl(value: string): Said['url'] {
  const decoded = htmlEntityDecode(value)
    .replace(/[\x00-\x20\xa0]+/g, '')
    .slice(0, 200);
  for (const one of decoded.includes('%') ? [decoded, urlDecode(decoded)] : [decoded]) {
    if (
      /^(?:javascript|vbscript|livescript|mocha|jar|view-source|x-javascript):(?!(?:void\(?0?\)?)?;?$)/i.test(
        one,
      )
    )
      return 'script';
    if (
      /^data:(?:text\/html|text\/javascript|text\/xml|application\/x?(?:html|xml|javascript)|image\/svg|,|;|\*)/i.test(
        one,
      )
    )
      return /^data:image\/svg/i.test(one) ? 'image' : 'script';
    if (/;(?:url=)?(?:javascript|data:text\/html)/i.test(one)) return 'script';
  }
  return undefined;
}

function isScriptStyle(value: string): boolean {
  const decoded = htmlEntityDecode(value).replace(/\/\*.{0,200}?\*\/|[\\\x00-\x20]/gs, '');
  return /expression\(|behaviou?r:|-moz-binding|javascript:|vbscript:|@import/i.test(decoded);
}
