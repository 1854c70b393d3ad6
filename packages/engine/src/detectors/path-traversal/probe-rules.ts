import type { Rule } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import { patternRule } from '../define.ts';
import { holeRules } from './hole-rules.ts';
import { toolRules } from './tool-rules.ts';

const category = 'path_traversal' as const;

/** Probing: asking for what a deployment forgot, for consoles with known holes, with the tools that do it. */
export const probeRules: readonly Rule[] = [
  patternRule({
    id: 'probe-repository',
    category,
    message: 'Metadata of a version control system',
    // GitHub, GitLab and Gitea show these files of a project under such addresses.
    parts: ['path'],
    pattern: verbose('i')`
      \/\.(?:
        git(?:
          \/
          |$
          |ignore$(?<!
              \/(?:
                blob|tree|raw|blame|_?edit|_new|commits|repository\/files|repos\/[^/]{1,80}\/[^/]{1,80}\/contents
                |src\/(?:branch|commit|tag)
              )\/[^?]{0,240}
            )
          |config$
          |-credentials
        )
        |svn(?:\/|$)
        |hg(?:\/|$)
        |bzr(?:\/|$)
        |cvs(?:\/|$)
        |(?:gitlab-ci|travis)\.yml(?<!
            \/(?:
              blob|tree|raw|blame|_?edit|_new|commits|repository\/files|repos\/[^/]{1,80}\/[^/]{1,80}\/contents
              |src\/(?:branch|commit|tag)
            )\/[^?]{0,240}
          )
      )
      |\/cvs\/(?:root|entries)
    `,
  }),
  patternRule({
    id: 'probe-environment',
    category,
    message: 'A file of settings or credentials',
    parts: ['path'],
    pattern: verbose('i')`
      \/\.(?:
        env(?:\.\w{1,20}|~)?$|ht(?:access|passwd|group)|ds_store$|aws\/|ssh\/|npmrc$|netrc$|pgpass$|dockerenv$
        |dockercfg$|docker\/|kube\/|bash(?:rc|_history|_profile)|zsh_history|mysql_history|profile$
        |vscode\/(?:sftp|settings)|idea\/(?:workspace|datasources)|ftpconfig$|s3cfg$|remote-sync\.json|history$
        |esmtprc|config\/(?:gcloud|filezilla)
      )
      |\/(?:
          wp-config(?:\.php)?(?:\.|~|_)(?:bak|old|save|swp|txt|orig|inc)?
          |web\.config(?:\.\w{2,4})?$
          |config\.(?:php|inc|yml|ini)(?:\.bak|~|\.old|\.save)
          |configuration\.php(?:\.bak|~|-dist)
          |sftp-config\.json
          |id_[rd]sa
          |credentials\.(?:json|xml|csv)
          |secrets\.(?:ya?ml|json)
          |local_settings\.py
          |parameters\.yml
          |database\.yml
          |phpinfo\.php
          |(?:\.?dockerfile|docker-compose\.ya?ml|composer\.(?:json|lock)|package-lock\.json|yarn\.lock)$(?<!
              \/(?:
                blob|tree|raw|blame|_?edit|_new|commits|repository\/files|repos\/[^/]{1,80}\/[^/]{1,80}\/contents
                |src\/(?:branch|commit|tag)
              )\/[^?]{0,240}
            )
          |vendor\/composer\/installed\.json$
          |server\.key$
          |dump\.rdb$
          |composer\/auth\.json$
          |storage\/logs\/laravel[\d-]{0,11}\.log$
          |wp-content\/debug\.log$
          |manage(?:ment)?\/(?:env|heapdump|threaddump|configprops|httptrace)$
          |privatekey\.key$
        )
      |^\/\w{1,40}\.tf(?:state(?:\.backup)?|vars)$
    `,
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'probe-backup',
    category,
    message: 'A backup or dump left behind',
    parts: ['path'],
    pattern: verbose('i')`
      (?:
        ^\/(?:site|www|web|sql|mysql|old|bak|1|admin|data|users|wordpress|html|root|ftp|archive|test)
        # What an application has made for its user lies under such a name
        |(?!(?<=\/(?:exports?|attachments|releases))\/[\w.-]{1,60}\.zip$)\/(?:backup|dump|database|db|wwwroot)s?(?:[._-]?(?:\d[\d._-]{0,20}|sql|bak|old|new|full|prod|www|site|db))?
      )\.(?:sql|tar|tgz|rar|7z|bak|zip|gz|tar\.gz|sql\.gz|old|mdb)$
      |\/(?:
          [\w.-]{1,40}\.(?:
            sql\.(?:gz|zip)
            |php(?:\.bak|~|\.swp|\.old|\.orig|\.save|s)
            |jsp\.bak
            |aspx?\.bak
            |bak\d?
            |swp
            |mdb
          )
        )$
    `,
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'probe-web-shell',
    category,
    message: 'A web shell by its usual name',
    parts: ['path'],
    pattern: verbose('i')`
      # Nagios and what came of it take their commands at such an address
      (?<!\/(?:nagios\d?|icinga|naemon|thruk)\/cgi-bin(?=\/cmd\.cgi))\/(?:
        c99|r57|wso\d{0,4}|b374k|alfa(?:cgiapi)?|shell\d{0,3}|webshell|cmd|cmdasp|backdoor|indoxploit|marijuana
        |priv8|madspot|antichat|simple-backdoor|php-reverse-shell|weevely|chopper|mini_?shell|0x\w{1,10}
      )\.(?:php\d?|phtml|jspx?|aspx?|ashx|cgi|pl)(?:$|\/)
      |\/alfacgiapi\/
      |\.(?:php\d?|phtml|jspx?|aspx?)\.(?:jpe?g|png|gif)$
    `,
    sensitivity: 'medium',
  }),
  ...holeRules,
  patternRule({
    id: 'probe-hole-parameter',
    category,
    message: 'A parameter that turns a check of a well-known product around',
    parts: ['query', 'form', 'cookie'],
    pattern: verbose('i')`
      ^(?:
        autodiscover\/autodiscover\.json\?
        |page\/setupcompleted$
        |[^\s@?&/]{0,40}@[\w.-]{1,80}\/(?:mapi|powershell|ews|owa|ecp|autodiscover)\/
        |bootstrapstatusprovider\.
        |\/[^\s?&]{1,120};\.jsp$
      )
    `,
  }),
  patternRule({
    id: 'probe-inner-server',
    category,
    message: 'A cookie that names the server behind the front end of Exchange (CVE-2021-26855)',
    targets: [{ part: 'cookie', of: 'values', path: /^x-(?:beresource|anonresource-backend)$/i }],
    pattern: /~\d{1,12}$/,
  }),
  patternRule({
    id: 'probe-two-addresses',
    category,
    message:
      'A list of addresses where one account is asked for, to have its letter sent to another (CVE-2023-7028)',
    targets: (['query', 'form'] as const).map((part) => ({ part, of: 'names' as const })),
    pattern: /^user\[email\]\[\d{0,2}\]$/i,
  }),
  patternRule({
    id: 'probe-stored-file',
    category,
    message: 'A file of the server in the place of one that was uploaded (CVE-2026-21858)',
    targets: [{ part: 'json', of: 'values', path: /^files\.[\w-]{1,60}(?:\.\d{1,3})?\.filepath$/i }],
    // `/app/page.tsx`: where tools that write programs put what they wrote
    pattern:
      /^\/(?:(?:etc|home|root|proc|var|opt|usr|srv|data|run)\/\S|app\/\S{0,200}(?:\.env|config|secret|key|\.db|\.sqlite))/,
  }),
  patternRule({
    id: 'probe-version-image',
    category,
    message: 'A question for the picture by which PHP tells that it is there',
    parts: ['query'],
    pattern: /^=?PHP[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}$/,
  }),
  patternRule({
    id: 'probe-program-option',
    category,
    message:
      'An option of a program as the name of a parameter, which PHP hands on as an argument (CVE-2024-52301)',
    targets: [{ part: 'query', of: 'names' }],
    pattern: /^--(?:env|\w{0,20}path|config|working-dir)$/i,
  }),
  patternRule({
    id: 'probe-unsigned-token',
    category,
    message:
      'A token that says of itself that nobody signed it (RFC 7519 §6), where a visitor is known by it',
    targets: [
      {
        part: 'header',
        of: 'values',
        path: /^(?:authorization|x-[\w-]{0,30}(?:token|jwt|auth)[\w-]{0,30})\.alg$/i,
      },
      { part: 'cookie', of: 'values', path: /^[^.]{1,80}\.alg$/i },
    ],
    pattern: /^none$/i,
  }),
  patternRule({
    id: 'probe-inner-role',
    category,
    message: 'A role that a database gives to its own administrators alone (CVE-2017-12635)',
    targets: [{ part: 'json', of: 'values', path: /^roles\.\d{1,3}$/ }],
    pattern: /^_admin$/,
  }),
  patternRule({
    id: 'probe-encoded-letter',
    category,
    message: 'A letter encoded twice where a name in the path begins, which no client does (CVE-2023-20198)',
    parts: ['path'],
    pattern: /\/%25(?:4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])/i,
  }),
  patternRule({
    id: 'probe-inner-header',
    category,
    message:
      'A header that a framework sends to itself, and that lets a client skip its checks (CVE-2025-29927)',
    targets: [{ part: 'header', name: 'x-middleware-subrequest' }],
    pattern: /middleware|pages\//i,
  }),
  patternRule({
    id: 'probe-checked-elsewhere',
    category,
    message: 'A header by which the front of a product tells its inside not to ask who it is (CVE-2024-0012)',
    targets: [{ part: 'header', name: 'x-pan-authcheck' }],
    pattern: /^off$/i,
  }),
  patternRule({
    id: 'probe-inner-message',
    category,
    message: 'A header that names what Apache Camel should run (CVE-2025-27636)',
    targets: [{ part: 'header', of: 'names' }],
    pattern: /^camel(?:exec|bean|file|sql|jms|language|http)\w{2,40}$/i,
  }),
  patternRule({
    id: 'probe-many-logins',
    category,
    message: 'Many attempts to sign in, in one call of XML-RPC',
    parts: ['document', 'body', 'xml'],
    pattern: /\bsystem\.multicall\b[\s\S]{0,2000}\bwp\.get(?:usersblogs|authors|users)\b/i,
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'probe-interface',
    category,
    // Blazor fetches its settings into the browser: appsettings.json.
    message: 'A file or an interface that its own clients ask for, and that scanners look for elsewhere',
    parts: ['path'],
    pattern: verbose('i')`
      ^\/(?:info|test)\.php$
      |\/(?:
        appsettings(?:\.\w{1,20})?\.json$
        |xmlrpc\.php
        |wp-json\/wp\/v2\/users
        |solr\/\w{1,40}\/select$
        |api\/v1\/(?:pods|namespaces|secrets)
        |containers\/(?:json|create)$
        |v1\.\d{1,2}\/containers
      )
    `,
    score: 2,
    sensitivity: 'high',
  }),
  patternRule({
    id: 'probe-graphql-schema',
    category,
    message: 'A question for the schema of a GraphQL interface, as developers and scanners ask it',
    parts: ['query', 'form', 'json', 'body'],
    pattern: /\b__schema\s{0,9}\{|\b__type\s{0,9}\(\s{0,9}name\s{0,9}:/,
    score: 3,
    sensitivity: 'high',
  }),
  ...toolRules,
];
