import type { Rule } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import { anywhere, argumentParts, patternRule } from '../define.ts';
import { besideTexts, withinTexts } from '../text-fields.ts';
import { namedFileRules } from './named-file-rules.ts';
import { probeRules } from './probe-rules.ts';

const category = 'path_traversal' as const;
const severity = 'high' as const;

const climbed = [...argumentParts.filter((part) => part !== 'body'), 'filename' as const];
const deepClimb = verbose()`
  (?:\.{2,4}(?:[/\\]|;\/|%2f|%5c){1,3}(?:\.?[/\\]){0,2}){3}
  |(?:\.\.0x(?:2f|5c)){2}
  |(?:^|[/\\])\.\.;(?:\/\w|[\w=.-]{1,20}[/\\]|[/\\]{2}|\\)
`.source;

/** Reaching files that are not for visitors: by climbing, by name, by scheme, by knowing where software keeps them. */
export const pathTraversalRules: readonly Rule[] = [
  patternRule({
    id: 'path-climb-deep',
    category,
    severity,
    message: 'Climbing up three directories or more',
    targets: besideTexts(climbed),
    pattern: new RegExp(deepClimb, 'i'),
  }),
  patternRule({
    id: 'path-climb-deep-written',
    category,
    severity,
    message: 'Climbing up three directories or more, in a text and not as its pages link to each other',
    targets: withinTexts(climbed),
    // `<a href="../../../reference/items.html">`, `[Items](../../../items.md#fn)`
    pattern: verbose('i')`
      (?!(?<=\b(?:from|import)\s["']|\brequire\(["'])(?:\.\.\/){3,8}(?:[\w@-]{1,60}\/){0,8}[\w.-]{1,60}["'])
      (?<!(?<=\b(?:from|import)\s["']|\brequire\(["'])(?:\.\.\/){1,7})
      (?!(?<=(?:\shref=["']|\]\(|["']>))(?:\.\.\/){3,8}(?:[\w-]{1,60}\/){0,8}[\w-]{1,60}\.(?:html?|md)(?:#[\w.-]{0,80})?["')<])
      (?<!(?<=(?:\shref=["']|\]\(|["']>))(?:\.\.\/){1,7})(?:${new RegExp(deepClimb)})
    `,
  }),
  patternRule({
    id: 'path-climb-file',
    category,
    severity,
    message: 'Climbing up to a file of the system or the application',
    pattern: verbose('i')`
      (?!(?<=[a-z]{3} )\.\.\/(?!\.)[\w./-]{1,60} [a-z]{3})\.{2,4}[/\\;]{1,250}(?:[\w.-]{1,40}[/\\]{1,250}){0,20}(?:
        # 'src/../etc/config.yml' is a file of a project.
        etc(?!(?<=[\w-]\/\.\.\/etc)\/[\w-]{1,40}\.(?:[jt]sx?|ya?ml|md)\b)
        |proc(?!_)
        |windows
        |winnt
        |boot\.ini
        |win\.ini
        |web-inf
        |meta-inf
        |var[/\\]log
        |root
        |home
        |usr
        |\.env
        |\.git
        |\.ssh
        |wp-config
        |storage[/\\]logs
        |appsettings[\w.]{0,30}\.json
        |config\.(?!html?\b|md\b)\w{2,5}
        |id_rsa
        |passwd
        |shadow
        |system32
        |inetpub
        |web\.config
        |global\.asa
        |access[._]log
        |error[._]log
        |php\.ini
        |my\.cnf
        |httpd\.conf
        |apache2
        |nginx
        |environ
        |tomcat-users
        |application\.(?:yml|properties)
        |settings\.py
        |(?:parameters|secrets|services|security|database|settings|credentials|bootstrap|local)\.(?:
            ya?ml|json|xml|properties|toml
          )
      )(?:$|[\W_])
      |^[^\s]{0,60}\.{2,4}[/\\;]{1,250}\.{2,4}[/\\;]{1,250}(?:[\w.-]{1,40}[/\\]{1,250}){0,20}[\w-]{1,40}(?:\.inc)?\.(?:
          php|jsp|aspx?|ini|conf|log|passwd|sql|bak|cgi|sh
        )(?:$|[\W_])
    `,
  }),
  patternRule({
    id: 'path-climb-in-path',
    category,
    severity,
    message: 'Climbing out of the directory in the path itself',
    parts: ['path'],
    // `/css/../img/a.png`: one step between folders, as a page writes it and a simple client leaves it, to nothing but a picture.
    pattern: verbose('i')`
      (?:^|[/\\])(?!
        (?<=^(?:\/[\w-]{1,40}){1,8}\/)\.\.(?:\/[\w-]{1,40}){1,8}(?:\.[\w-]{1,40}){0,3}\.(?:
          css|png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf
        )$
      )\.{2}(?:[/\\]|;[^/]{0,40}\/|$)
      # An ellipsis in a title goes on with a space or a sign: 'Wait...%20what', 'Soon..%E2%80%A6'.
      |\.\.\\
      |\.\.%(?!(?<=[\w.)\]-]\.{2,9}%)(?:2[0-46-9a-d]|3[acdf]|5[bd]|7[b-e]|c[3-9]|d|e[013-9a-e]|e2%80)(?![\da-f]?(?:[/\\]|%2f|%5c)))
      |\.\.;\/
      # What a filter that takes out '../' once leaves
      |(?:\.{4}[/\\]{2}|\.{3}\/\.\/|\.{4}\/\\){2}
      |\/\.{2,}%00
    `,
  }),
  patternRule({
    id: 'path-climb-filename',
    category,
    severity,
    message: 'Climbing out of the directory in the name of an upload',
    parts: ['filename'],
    pattern: /(?:^|[/\\])\.{2}[/\\]/,
  }),
  patternRule({
    id: 'path-server-file',
    category,
    severity,
    message: 'Settings or logs of a server as a whole path, wherever it was installed',
    parts: ['query', 'form', 'cookie', 'path', 'multipart'],
    pattern: verbose('i')`
      ^\/?(?:[a-z]:)?[/\\]{1,2}(?:[\w.()-][\w. ()-]{0,40}[/\\]{1,2}){1,8}(?:
        httpd(?:-[a-z]{2,10})?\.conf|apache2?\.conf|nginx\.conf|lighttpd\.conf|php(?:-fpm)?\.(?:ini|conf)
        |my\.(?:ini|cnf)|(?:pure-|vs|pro)ftpd\.conf|tomcat-users\.xml|(?:access|error)[._]log(?:\.\d)?
        |(?:win|system|boot|php)\.ini|unattend\.xml|sysprep\.(?:inf|xml)
      )(?:[\0?%].{0,12})?$
    `,
  }),
  patternRule({
    id: 'path-quoted-file',
    category,
    severity,
    message: 'A system file whose path is broken up by quotes, escapes or wildcards',
    pattern: verbose('i')`
      \/(?:['"\\?*]{0,2}e['"\\?*]{0,2}t['"\\?*]{0,2}c|e[?*]{1,2}c?|[?*]{3})['"\\]{0,2}\/['"\\]{0,2}(?:
        (?=\w{0,5}['"\\?*])(?:p|['"\\?*]{1,3}p?)['"\\?*$@]{0,3}[a?*]['"\\?*$@]{0,3}[s?*]
        |[?*]{3,6}
        |sh['"\\?*]{1,3}
      )
      |\/etc\$\w{1,8}\/(?:passwd|shadow|group|hosts)
    `,
  }),
  patternRule({
    id: 'path-php-wrapper',
    category,
    severity,
    message: 'A PHP stream wrapper that reads or runs files',
    pattern: verbose('i')`
      \b(?:
        php:\/\/(?:
          filter
          |(?!(?<=^php:\/\/)\w{2,6} [a-z]{4,16}(?: [a-z]{2,16}){0,4}$)(?:input|fd|memory|temp|output|stdin)
        )
        |zip:\/\/
        |phar:\/\/
        |expect:\/\/
        |glob:\/\/
        |ogg:\/\/
        |ssh2(?:\.\w{3,6})?:\/\/
        |compress\.(?:zlib|bzip2):\/\/
        |zlib:
        |rar:\/\/
      )
      |(?:^|[=\s'"])data:\/?\/?(?:text\/plain|application\/x-httpd-php|;base64|,)[^\n]{0,40}[,;][^\n]{0,8}(?:
          <\?|PD9|base64,PD
        )
      |convert\.(?:base64|iconv|quoted)
      |string\.(?:rot13|toupper|strip_tags)\/
    `,
  }),
  patternRule({
    id: 'path-file-scheme',
    category,
    severity,
    message: 'A file address',
    // Editors tell language servers which of their own files they show (Language Server Protocol, TextDocumentIdentifier).
    targets: anywhere.map((part) => ({
      part,
      ...(part === 'json' && {
        notPath: /(?:^|\.)(?:text_?document|root|workspacefolders\.\d{1,3})[._]?uri$/i,
      }),
    })),
    pattern: verbose('i')`
      (?:^|(?<![a-z]{3}[,:;]?\s["'(]?)[\s'"=(,:<>[/])(?<![a-z]{3}[,:;]?\s)(?:file|netdoc|jar:file|local_file):(?:
        \/{1,4}|\\{1,4}|%2f
      )(?![/\\])(?![)"'<>,;\`]|\.?\s|\.?$)(?![a-z](?::|%3a)\/(?:users\/|[^\s"'<>]{1,200} [a-z']{2,16} [a-z]{2,16}\b))
    `,
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'path-remote-include',
    category,
    severity,
    message: 'A script of another host as the value of a parameter',
    parts: ['query', 'form', 'cookie'],
    pattern: verbose('i')`
      ^\s{0,9}(?:https?|ftps?|\/\/|\\\\):?(?:\/\/|\\\\)?[^\s?#]{3,200}(?:\/|\\)[\w.-]{0,60}(?:
        \.(?:txt|php\d?|jpg\.php|inc|gif\.php)\?{1,2}$
        |(?:shell|c99|r57|cmd|evil|backdoor|rfi)[\w-]{0,20}\.(?:txt|php\d?|jpg|gif|png|inc|asp|jsp)\b
        |\.txt\?{1,2}$
        |%00
      )
      |^\s{0,9}(?:https?|ftps?):\/\/\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\/[^\s?]{0,200}\.(?:
          (?:php\d?|txt|inc|sh|pl|py|exe|jsp|asp)\b
          |(?:gif|jpe?g|png)\?(?:cmd|c|exec|x)=(?!\d{0,14}(?:&|$))
        )
    `,
  }),
  patternRule({
    id: 'path-remote-bare',
    category,
    severity,
    message: 'A script of a host by its number, without a scheme',
    parts: ['query', 'form', 'cookie'],
    pattern:
      /^\s{0,9}\/\/\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\/[^\s?]{0,200}\.(?:php\d?|txt|inc|(?:gif|jpe?g|png)\?(?:cmd|c|exec|x)=(?!\d{0,14}(?:&|$)))/i,
  }),
  patternRule({
    id: 'path-remote-shell',
    category,
    severity,
    message: 'A script of another host, by the names of web shells or the sign that cuts off an extension',
    parts: ['json', 'multipart', 'path', 'xml'],
    pattern: verbose('i')`
      ^\s{0,9}(?:https?|ftps?):\/\/[^\s?#]{3,200}\/(?:
        [\w-]{1,40}\.(?:txt|php\d?|inc|gif|jpg)\?{1,2}$
        |(?:c99|r57|b374k|wso|webshell|backdoor|rfi)[\w-]{0,20}\.(?:txt|php\d?|jpg|gif|png|inc|asp|jsp)\b
      )
    `,
  }),
  patternRule({
    id: 'path-remote-share',
    category,
    severity,
    message: 'A script or program on a share of another host',
    parts: ['query', 'form', 'cookie', 'json', 'multipart', 'path', 'header'],
    pattern: verbose('i')`
      ^\s{0,9}\\{2}(?:[\w-]{1,60}\.){1,6}\w{1,24}(?:@(?:ssl|\d{1,5})){0,2}\\[^\s"'<>|]{1,120}\.(?:
        php\d?|phtml|inc|jspx?|aspx?|dll|exe|hta|sct|vbs|jse?|wsf|ps1|bat|scf|lnk|library-ms
      )$
    `,
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'path-foreign-share',
    category,
    severity,
    message:
      'A share of a public address, or one over WebDAV, as a value: whoever opens it sends a password hash',
    parts: ['query', 'form', 'cookie', 'json', 'multipart', 'path', 'header'],
    pattern: verbose('i')`
      ^\s{0,9}\\{2}(?:
        (?!10\.|127\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.)\d{1,3}(?:\.\d{1,3}){3}(?:
          @(?:ssl|\d{1,5})
        ){0,2}
        |[\w.-]{3,120}@(?:ssl(?:@\d{1,5})?|\d{2,5})
      )\\[\w$.-]
    `,
  }),
  patternRule({
    id: 'path-system-settings',
    category,
    severity,
    message: 'Settings of the system as a whole value, by the form of their name',
    parts: ['query', 'form', 'cookie', 'multipart'],
    pattern: verbose('i')`
      ^\/{1,3}etc\/(?:[\w.-]{1,40}\/){0,4}(?:
        [\w-]{1,40}\.(?:conf|cnf|cfg|ini|rc|defs|key|pem)|[\w-]{1,40}\.d\/[\w.-]{1,40}|\w{0,12}rc
      )$
    `,
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'path-broken-climb',
    category,
    severity,
    message: 'Climbing with control characters, or dots spelled in hexadecimal',
    pattern: /\.\.[\0\x01]{1,3}[/\\]|(?:0x2e0x2e|(?:^|[/\\f])\.\.)0x(?:2f|5c)/i,
  }),
  patternRule({
    id: 'path-playlist',
    category,
    severity,
    parts: ['file', 'multipart', 'document'],
    message: 'A playlist that joins files of the server to an address (CVE-2016-1897)',
    pattern: /#extm3u[\s\S]{0,400}?\bconcat:https?:[^\s|]{1,200}\|/i,
  }),
  patternRule({
    id: 'path-null-byte',
    category,
    severity,
    message: 'A NUL byte that cuts a file name short',
    parts: ['query', 'form', 'path', 'filename', 'cookie', 'multipart'],
    pattern:
      /\.\w{1,8}(?:\0|%00)\.\w{1,8}$|\.(?:php\d?|phtml|jspx?|aspx?|inc|cgi|pl|ini|conf|log|sql)(?:\0|%00)$|(?:\0|%00)\.(?:jpe?g|png|gif|html?|txt|pdf|ico|css|js)$/i,
  }),
  ...namedFileRules,
  ...probeRules,
];
