import type { Rule } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import { patternRule, structureRule } from '../define.ts';
import { activeImage, activePage } from './active-files.ts';
import { archiveTrap } from './archives.ts';
import {
  ambiguousName,
  doubleExtension,
  programUpload,
  renamedToProgram,
  runnableHeaderName,
  runnableUpload,
  typeMismatch,
} from './structure.ts';

const category = 'file_upload' as const;
const severity = 'critical' as const;
const parts = ['file'] as const;

/** Uploads that a server would run, or that break who unpacks or shows them. */
export const fileUploadRules: readonly Rule[] = [
  structureRule({
    id: 'upload-runnable-header',
    category,
    severity,
    message: 'An upload that a server would run, by the name in a header',
    check: runnableHeaderName,
    sensitivity: 'medium',
  }),
  structureRule({
    id: 'upload-runnable',
    category,
    severity,
    message: 'An upload that a server would run, by its name',
    check: runnableUpload,
    sensitivity: 'medium',
  }),
  structureRule({
    id: 'upload-renamed',
    category,
    severity,
    message: 'A file that is moved or copied to a name that a web server would run (WebDAV)',
    check: renamedToProgram,
    sensitivity: 'medium',
  }),
  structureRule({
    id: 'upload-program-text',
    category,
    message: 'The text of a program in Python or Ruby',
    check: programUpload,
    sensitivity: 'high',
  }),
  structureRule({
    id: 'upload-double-extension',
    category,
    severity,
    message: 'An upload with two extensions, one of which runs',
    check: doubleExtension,
  }),
  structureRule({
    id: 'upload-ambiguous-name',
    category,
    message: 'An upload with more than one name',
    check: ambiguousName,
    sensitivity: 'medium',
  }),
  structureRule({
    id: 'upload-type-mismatch',
    category,
    message: 'An upload that is not what it says it is',
    check: typeMismatch,
  }),
  structureRule({
    id: 'upload-archive-trap',
    category,
    message: 'An archive that swells or climbs',
    check: archiveTrap,
  }),
  patternRule({
    id: 'upload-php',
    category,
    severity,
    parts,
    message: 'PHP code in an upload',
    pattern: verbose('i')`
      <\?php[\s;@/#]
      |<\?=\s{0,9}(?:[\`$@]|system|eval|exec|passthru|shell_exec|phpinfo)
      |<script\s{1,9}language\s{0,9}=\s{0,9}['"]?php
      |<\?\s{0,9}(?:@?eval|system|passthru|echo|include|require)\b
      |\beval\s{0,9}\(\s{0,9}(?:\$_|base64_decode|gzinflate|str_rot13)
    `,
  }),
  patternRule({
    id: 'upload-server-page',
    category,
    severity,
    parts,
    message: 'JSP or ASP code in an upload',
    pattern: verbose('i')`
      <%@\s{0,9}(?:page|import|webhandler|webservice|language)\b
      |<%[!=]?[\s\S]{0,160}(?:
          runtime\.getruntime|processbuilder|request\.getparameter|wscript\.shell|eval\s{0,9}\(?\s{0,9}request
          |execute\s{0,9}\(?\s{0,9}request|server\.createobject|response\.write|classloader|defineclass
          |system\.diagnostics
        )
      |<jsp:
      |<script\s{1,9}(?:
          runat\s{0,9}=\s{0,9}['"]?server
          |language\s{0,9}=\s{0,9}['"]?(?:c#|jscript|vbscript)['"]?\s{1,9}runat
        )
      |<cf(?:execute|file|script|set)\b
    `,
  }),
  structureRule({
    id: 'upload-active-image',
    category,
    message: 'Script in an SVG upload',
    check: activeImage,
  }),
  patternRule({
    id: 'upload-inner-address',
    category,
    parts,
    message:
      'A picture or page that has whoever renders it fetch a file of the server or the metadata of a cloud',
    pattern: verbose('i')`
      <(?:(?:svg:)?(?:fe)?image|use|img|iframe|embed|object|link|script)\s[^<>]{0,400}?(?:href|src|data)\s{0,9}=
      \s{0,9}["']?\s{0,9}(?:
        (?:https?:)?\/\/(?:169\.254\.169\.254|metadata\.google\.internal|100\.100\.100\.200)\b
        |file:\/{2,3}(?:etc|proc|root|home|var|c:)\b
        # Coders of ImageMagick that read a file or write one (CVE-2016-3714 and what came behind it)
        |(?:text|msl|mvg|ephemeral|label:@|caption:@|vid|pango:@|inline):?\/{0,2}(?:\/(?:etc|proc|root|home|var|tmp)\b|[a-z]:\\)
      )
    `,
  }),
  structureRule({
    id: 'upload-active-page',
    category,
    message: 'Script in an uploaded page',
    check: activePage,
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'upload-server-settings',
    category,
    severity,
    parts,
    message: 'Settings of a web server in an upload',
    pattern:
      /\b(?:addtype|addhandler|sethandler)\s{1,9}[\w/.-]{0,60}(?:php|cgi|httpd)|\bauto_(?:prepend|append)_file\s{0,9}=|<handlers\b[\s\S]{0,200}<add\s/i,
  }),
  patternRule({
    id: 'upload-image-delegate',
    category,
    severity,
    parts,
    message: 'Drawing commands that run programs (ImageTragick, Ghostscript)',
    pattern: verbose('i')`
      push\s{1,9}graphic-context[\s\S]{0,200}(?:url\(|image\s|ephemeral:|msl:|label:@)
      |%pipe%
      |\b(?:currentdevice|putdeviceprops)\b[\s\S]{0,200}\bpipe
      |\b(?:legal)\b[\s\S]{0,40}restore\b[\s\S]{0,200}outputfile
    `,
  }),
  patternRule({
    id: 'upload-annotation-perl',
    category,
    severity,
    parts,
    message: 'An annotation of DjVu that runs Perl (CVE-2021-22204)',
    pattern:
      /\(metadata\b[\s\S]{0,400}?(?:\bqx\s{0,3}[{([/|]|"\s{0,9}\.\s{0,9}(?:return\s{1,9})?(?:`|system|exec))/i,
  }),
];
