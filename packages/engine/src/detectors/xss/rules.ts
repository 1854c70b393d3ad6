import type { Part } from '../../parse/index.ts';
import type { Rule } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import { anywhere, detectRule, headParts, patternRule, shownPrograms } from '../define.ts';
import { type HtmlFinding, htmlDetector } from './html-detector.ts';
import { scriptRules } from './script-rules.ts';

const category = 'xss' as const;

function markup(
  id: string,
  finding: HtmlFinding,
  message: string,
  more: Partial<Pick<Rule, 'score' | 'sensitivity'>> & { readonly parts?: readonly Part[] } = {},
): Rule {
  return detectRule({
    id: `xss-${id}`,
    category,
    finding,
    message,
    detector: htmlDetector,
    targets: (more.parts ?? anywhere).map((part) => ({
      part,
      ...(part === 'json' && { notPath: shownPrograms }),
    })),
    ...more,
  });
}

/** Cross-site scripting: markup by structure, then script by what it does. */
export const xssRules: readonly Rule[] = [
  markup('script-element', 'script element', 'A script element'),
  markup(
    'known-script',
    'known script',
    'A script of the site itself, or one of a social network that shows a post',
    {
      score: 3,
      sensitivity: 'high',
    },
  ),
  markup('event-handler', 'event handler', 'An element with an event handler'),
  markup('script-url', 'script url', 'An element whose address is a script'),
  markup('active-element', 'active element', 'An element that loads, redirects or embeds'),
  markup('linked-style', 'linked style', 'A style sheet of a stated address', {
    score: 2,
    sensitivity: 'high',
  }),
  markup('framing-element', 'framing element', 'A frame', { score: 5, sensitivity: 'medium' }),
  markup('embedded-page', 'embedded page', 'A frame of a stated size with a page of another site', {
    score: 2,
    sensitivity: 'high',
  }),
  markup('context-left', 'context left', 'A closing tag that leaves the context it lands in', {
    sensitivity: 'medium',
  }),
  markup('clobbering', 'clobbering name', 'An element named as a property of the document', {
    sensitivity: 'medium',
  }),
  markup('animated-link', 'animated link', 'An SVG animation of an address or handler'),
  markup('style-attribute', 'style script', 'A style attribute that runs script'),
  markup('dangling', 'dangling markup', 'An unfinished element that swallows what follows', {
    sensitivity: 'medium',
  }),
  markup('markup', 'markup', 'Markup where plain text is usual', {
    score: 3,
    sensitivity: 'high',
    // Bodies carry rich text all the time, from editors and between parts of an application.
    parts: headParts,
  }),
  patternRule({
    id: 'xss-value-left',
    category,
    message: 'A quote and a bracket that leave the attribute a value stands in, and an element right behind',
    pattern:
      /^\w{0,12}\s?(?:(?:["'`]{1,2} ?\/?>){1,3}|>["'`]{1,2}>)\s?<(?:!|\/?[a-z][\w-]{0,20}[\s/>])|^\W{0,4}<(?:plaintext|xmp|listing)\s?\/?>/i,
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'xss-namespace-script',
    category,
    message: 'An instruction or section that leaves the context it lands in',
    // `<![CDATA[ if (a < b) …`: a comparison, which opens no element
    pattern: verbose('i')`
      <\?(?:import|xml-stylesheet)\b
      |<!\[cdata\[[^\]]{0,40}<(?!=?\s|\w{1,20}\s?[;)&|])
      |<%(?!\.?\w{1,3}>)[^%]{0,40}<\w{1,10}[\s/]
    `,
    sensitivity: 'medium',
  }),
  ...scriptRules,
];
