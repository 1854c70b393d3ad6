import { type MarkupContext, type MarkupEvent, readMarkup } from './markup.ts';

/** Elements that run, load, frame or restyle by being there. */
const activeElements: ReadonlySet<string> = new Set([
  'applet',
  'base',
  'comment',
  'embed',
  'frame',
  'frameset',
  'handler',
  'iframe',
  'import',
  'isindex',
  'link',
  'listener',
  'meta',
  'noscript',
  'object',
  'script',
  'style',
  'vmlframe',
  'xml',
  'xss',
]);

/** Attributes whose value a browser loads, follows or animates into one. */
const addressAttributes: ReadonlySet<string> = new Set([
  'action',
  'attributename',
  'background',
  'by',
  'dynsrc',
  'folder',
  'formaction',
  'from',
  'handler',
  'href',
  'lowsrc',
  'poster',
  'src',
  'to',
  'values',
  'xlink:href',
]);

/** Attributes that carry script or style whatever their value. */
const activeAttributes: ReadonlySet<string> = new Set(['style', 'filter', 'datasrc', 'dataformatas']);

/**
 * Whether a text, put into a page, runs script or brings in foreign content: between tags, or inside an
 * attribute's value of any quoting. Which elements and attributes count follows libinjection's published list;
 * the parser is our own.
 * @returns what was found, in a few words, or undefined
 */
export function findCrossSiteScripting(text: string): string | undefined {
  for (const context of contextsOf(text)) {
    for (const event of readMarkup(text, context)) {
      const found = judge(event);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function contextsOf(text: string): MarkupContext[] {
  const contexts: MarkupContext[] = [];
  if (text.includes('<')) contexts.push('text');
  // Outside of tags only an attribute can do harm.
  if (!text.includes('=') && contexts.length === 0) return contexts;
  if (text.includes('=')) contexts.push('unquoted');
  for (const quote of ["'", '"', '`'] as const) if (text.includes(quote)) contexts.push(quote);
  return contexts;
}

function judge(event: MarkupEvent): string | undefined {
  switch (event.kind) {
    case 'doctype':
      return 'document type';
    case 'tag':
      return isActive(event.name) ? `<${event.name}` : undefined;
    case 'comment':
      // Old browsers end a tag at a back quote, and act on conditions, imports and entities in comments.
      return event.text.includes('`') || /^(?:\[if|xml|import|entity)/i.test(event.text)
        ? 'comment'
        : undefined;
    case 'attribute':
      // Without a value it does nothing, and a path such as /once/only has many like it.
      if (event.value === undefined) return undefined;
      return isHarmful(event.name, event.value) ? `${event.name}=` : undefined;
  }
}

function isActive(name: string): boolean {
  return activeElements.has(name) || name.startsWith('svg') || name.startsWith('xsl');
}

function isHarmful(name: string, value: string): boolean {
  if (
    /^on(?!ce$|ly$|line$|to$|es?$|eway$)[a-z]{3,}/.test(name) ||
    /^x(?:mlns|link)/.test(name) ||
    activeAttributes.has(name)
  )
    return true;
  if (!addressAttributes.has(name)) return false;
  if (name === 'attributename') return isHarmful(value.toLowerCase(), 'javascript:');
  return /^(?:data|view-source|java\w*|vbscript):/i.test(withoutNoise(value));
}

/** Browsers decode references in a value, and skip control characters and white space in a scheme. */
function withoutNoise(value: string): string {
  return value
    .slice(0, 512)
    .replace(/&#(?:x([0-9a-f]{1,8})|([0-9]{1,8}));?/gi, (_whole, hex?: string, decimal?: string) =>
      String.fromCharCode(Number.parseInt(hex ?? decimal ?? '0', hex === undefined ? 10 : 16) & 0xff),
    )
    .replace(/&(?:tab|newline);/gi, '')
    .replace(/&colon;/gi, ':')
    .replace(/[\x00-\x20\x7f-\xff]+/g, '');
}
