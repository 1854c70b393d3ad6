import type { Rule } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import { anywhere, patternRule } from '../define.ts';

const category = 'xxe' as const;
const parts = [...anywhere, 'document', 'file'] as const;

/** XML that makes its parser read files, call out or swell. */
export const xxeRules: readonly Rule[] = [
  patternRule({
    id: 'xxe-declared-elements',
    category,
    message: 'A document type that declares its own elements, where no document is',
    parts: ['query', 'form', 'cookie', 'header'],
    pattern: /<!doctype\s{1,9}\w{1,40}\s{0,9}\[\s{0,9}<!(?:element|attlist)\b/i,
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'xxe-external-entity',
    category,
    severity: 'critical',
    parts,
    message: 'An external entity',
    pattern:
      /<!(?:ENTITY|NOTATION)\s{1,20}(?:%\s{1,20}|&#x?\d{1,4};\s{0,20})?[^\s>"']{1,100}\s{1,20}(?:SYSTEM|PUBLIC)\b/i,
  }),
  patternRule({
    id: 'xxe-external-doctype',
    category,
    parts,
    message: 'A document type from elsewhere',
    pattern: verbose('i')`
      <!DOCTYPE\s{1,20}[^\s>[]{1,100}\s{1,20}(?:
        SYSTEM\s{1,20}["'](?!about:legacy-compat|urn:)
        |PUBLIC\s{1,20}["'](?!
            -\/\/(?:W3C|IETF|WAPFORUM|OASIS|Apple|Apache|Sun|JBoss|Hibernate|SPRING|Google|mybatis)[^"']{0,200}
            ["']
          )[^"']{0,200}["']\s{0,20}["'](?:https?|ftp|file|php|expect|jar|gopher|netdoc|\/)
      )
    `,
  }),
  patternRule({
    id: 'xxe-parameter-entity',
    category,
    severity: 'critical',
    parts,
    message: 'A parameter entity',
    pattern: /<!ENTITY\s{1,20}%\s{1,20}[^\s>"']{1,100}\s{1,20}["']|<!ENTITY\s{1,20}(?:&#(?:x25|37);)/i,
  }),
  patternRule({
    id: 'xxe-expansion',
    category,
    severity: 'critical',
    parts,
    message: 'Entities built from entities, or one so long that naming it often swells the document',
    pattern:
      /<!ENTITY\s{1,20}[^\s>"']{1,100}\s{1,20}["'](?:(?:[^"'&]{0,100}&[\w.-]{1,60};){2}|[^"'<>]{1000})/i,
  }),
  patternRule({
    id: 'xxe-entity',
    category,
    parts,
    message: 'A document type that defines entities of its own',
    // Drawing programs name their namespaces so: text without references does nothing.
    pattern:
      /<!DOCTYPE\s{1,20}[^>[]{1,200}\[[^\]]{0,400}<!ENTITY\b(?!\s{1,20}[\w.-]{1,60}\s{1,20}["']https?:\/\/[\w./-]{1,200}["'])/i,
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'xxe-stylesheet',
    category,
    parts,
    message: 'A style sheet of another host, which a server that transforms the document fetches',
    pattern: /<\?xml-stylesheet\s[^>]{0,200}href\s{0,9}=\s{0,9}["'](?:https?|ftp|file):/i,
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'xxe-include',
    category,
    severity: 'critical',
    parts,
    message: 'XInclude, or a stylesheet that reaches files or code',
    pattern: verbose('i')`
      <xi:include\b
      |xmlns:\w{1,20}\s{0,9}=\s{0,9}["']https?:\/\/www\.w3\.org\/2001\/XInclude
      |<xsl:(?:
          include
          |import
          |value-of\s{1,9}select\s{0,9}=\s{0,9}["'][^"']{0,60}(?:
              document|unparsed-text|system-property|php:function|runtime|rt:exec
            )
        )
      |xmlns:\w{1,20}\s{0,9}=\s{0,9}["'](?:
          http:\/\/php\.net\/xsl
          |http:\/\/xml\.apache\.org\/(?:xalan|xslt)\/java
          |urn:schemas-microsoft-com:xslt
          |java:
        )
      |<msxsl:script
    `,
  }),
];
