import type { Rule } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import { telling } from '../command-injection/command-fields.ts';
import { anywhere, headParts, patternRule, sourceFiles } from '../define.ts';
import { elementOfText, goesOnInWords, plainWordEnd, wordEnd, writtenAgainst } from '../prose.ts';
import { amongWords, besideTexts, besideWords, withinTexts } from '../text-fields.ts';

const category = 'path_traversal' as const;
const severity = 'high' as const;

const word = wordEnd.source;
/** how a path of the root is written, also with steps that lead nowhere */
const root = '[/\\\\]{1,3}(?:\\.{1,2}[/\\\\]{1,3}){0,20}';
/** Files that hold what nobody but the system should read. */
const secretFile = verbose()`
  (?:
    etc[/\\]{1,3}(?:\.[/\\])*(?:
      passwd|shadow|group|hosts|hostname|issue|motd|fstab|crontab|cron\.\w{1,10}|sudoers|exports|mtab|nsswitch
      |hosts\.(?:allow|deny)|ssh|resolv\.conf|profile|environment|os-release|[a-z]{2,12}-release|security|init\.d
      |inetd\.conf|rc\.\w{1,8}|pam\.d|ssl|vsftpd|proftpd
    )
    |proc[/\\]{1,3}(?:
      (?:
        self|cmdline|partitions|filesystems|modules|kallsyms|kcore|iomem|version|cpuinfo|meminfo|net|sched_debug
        |mounts|thread-self
      )[/\\]?
      |\d{1,6}[/\\](?:environ|cmdline|maps|fd|status|cwd|root|stat|mem|exe)\b
    )
    |sys[/\\](?:class|kernel|devices|firmware|fs)(?=[/\\])
    |dev[/\\](?:stdin|fd(?=[/\\])|mem|kmem|shm(?=[/\\])|u?random)
    |tmp[/\\]sess_\w{4,64}
    |root[/\\]\.\w{1,40}
    |home[/\\][\w.-]{1,32}[/\\]\.(?:ssh|bash\w{0,12}|aws|config|netrc|git)
    |windows[/\\](?:
      system32[/\\](?:config|drivers[/\\]etc|cmd|inetsrv|winevt|logfiles|license|eula)
      |win\.ini|system\.ini|repair|debug|panther
    )
    |winnt[/\\]|boot\.ini|inetpub[/\\]
    |usr[/\\](?:local[/\\]|share[/\\]|lib[/\\]){1,2}php\d?[/\\](?:PEAR[/\\])?pearcmd
  )(?![a-z])
`.source;
/** Where software keeps its settings and logs: telemetry and deployments name these too. */
const settingsFile = verbose()`
  (?:
    etc[/\\]{1,3}(?:\.[/\\])*(?:
      kubernetes|docker|sysconfig|samba|openvpn|wireguard|letsencrypt|mysql|my\.cnf|apache2|httpd|nginx|php|tomcat\d?
      |network
    )
    |opt[/\\][\w.-]{1,30}[/\\]conf(?=[/\\])
    |var[/\\]{1,3}(?:log|lib[/\\](?:mysql|mlocate|php\d?|docker)|mail|spool|run[/\\]secrets)(?=[/\\])
    |run[/\\]secrets(?=[/\\])
    |usr[/\\]local[/\\](?:apache|etc|nginx|tomcat)
  )(?![a-z])
`.source;

/** What a word of a search goes on with behind a path. */
const twoWords = '\\s[a-z]{2,16}[\\s-][a-z]{2,16}\\b';

/** Such a path where a value begins or behind a sign. */
function named(file: string): RegExp {
  return new RegExp(`${beginsNamed}${root}${file}`, 'i');
}

/** The same as somebody searches for it, where no two words go on after it. */
function searched(file: string): RegExp {
  return openedBy(file, beginsNamed, `[\\w./\\\\-]{0,80}${twoWords}`);
}

const beginsNamed = `(?:^|[^\\w.\\s\`]|(?<!${plainWordEnd.source}\\s)\`|(?<!${plainWordEnd.source})\\s)`;

/** The same for fields of text, where marks and elements of writing stand in front and a sentence goes on. */
function mentioned(file: string): RegExp {
  const sign = `[^\\w.\\s\`](?<!${writtenAgainst.source}|${elementOfText.source}|${word}\\s(?:\\(|[a-z]:))`;
  return openedBy(
    file,
    `(?:^|${sign}|(?<!${word}\\s|${writtenAgainst.source})\`|(?<!${word}\\s{0,9}|\\btail\\s-[fFn]{1,2})\\s)`,
    `(?:[\\w./\\\\-]{0,80}${twoWords}|[\\w.*/\\\\-]{0,80}${goesOnInWords.source})`,
  );
}

function openedBy(file: string, opening: string, excuse: string): RegExp {
  return new RegExp(
    `${opening}${root}${file}(?!${excuse})(?!(?<=^[/\\\\]\\w{3,8}[/\\\\]\\w{3,12})\\s[a-z]{4,16}$)`,
    'i',
  );
}

/** A line of `ls -l`, up to the name. */
const listing = /(?:^|\n)[-dl](?:[r-][w-][xsStT-]){3}[^\n]{0,80}/;

const settled = [...headParts, 'form' as const, 'multipart' as const];
// `/var/log/app/*.log` is what collectors of logs are told; nothing that reads a file takes it for one.
// `… >> /var/log/backup.log`: what a job writes.
const collectedLog = `(?!(?<=[\\w'"]\\s>{1,2})\\s/var/log/)(?!^/var/log/[\\w./-]{0,60}\\*[\\w.*-]{0,20}$)`;

/** Files known to hold secrets, by the names that they have everywhere. */
const secretName = verbose('i')`
  (?:
    ~root[/\\]
    |[/\\]{2}[\w.-]{1,60}[/\\](?:[a-z]|admin|ipc)\$[/\\]
    |(?:[a-z]:[/\\]|[/\\])[^\s]{0,80}ntuser\.dat
    |(?:c:[/\\]{1,2})?(?:windows[/\\]{1,2})?(?:win|boot|system)\.ini$
    |web-inf[/\\]{1,2}(?:web\.xml|classes|lib|[\w.-]{1,40}\.xml)
    |meta-inf[/\\]{1,2}(?:context\.xml|manifest\.mf)
    |\.ssh[/\\](?:id_\w{2,10}|authorized_keys|known_hosts)
    |\.aws[/\\]credentials
    |\.kube[/\\]config
    |\.docker[/\\]config\.json
    |\.bash_history
    |\.env$
    |(?:[a-z]:[/\\]{1,2}(?:xampp|wamp\d{0,2}|apache\d{0,2}|inetpub)[/\\])
    |var[/\\]www[/\\][^\s]{1,80}\.(?:php|inc|conf|ini|log|env)$
    |\.mysql_history
    |jenkins_home[/\\]secrets[/\\]
    |\.n8n[/\\]config$
    |wp-config\.php
    |id_(?:rsa|dsa|ecdsa|ed25519)(?:\.pub)?$
    |sam[/\\]sam$
    |ntds\.dit
    |tomcat-users\.xml
    |\.htpasswd
  )
`;

/**
 * Files that are no business of visitors, by where they lie or what they are called. Twice each: as values, and as
 * texts mention them.
 */
export const namedFileRules: readonly Rule[] = [
  patternRule({
    id: 'path-system-file',
    category,
    severity,
    message: 'A file of the operating system',
    targets: besideWords(anywhere),
    pattern: named(secretFile),
  }),
  patternRule({
    id: 'path-system-file-searched',
    category,
    severity,
    message: 'A file of the operating system, and no words that somebody would search for with it',
    targets: amongWords(anywhere),
    pattern: searched(secretFile),
  }),
  patternRule({
    id: 'path-system-file-written',
    category,
    severity,
    message: 'A file of the operating system, in a text and not as a sentence mentions one',
    targets: withinTexts(anywhere),
    pattern: mentioned(secretFile),
  }),
  patternRule({
    id: 'path-system-file-shown',
    category,
    severity,
    message: 'A command that shows a file of the operating system, as a whole field of a document',
    targets: besideTexts(['json', 'xml'], telling),
    pattern: new RegExp(
      `^\\s{0,9}(?:cat|tac|nl|head|tail|less|more|od|xxd|strings|base64|type|ls|cp|vim?)\\s{1,9}(?:-\\w{1,8}\\s{1,9}){0,3}${root}${secretFile}(?:[./\\\\*-][\\w./\\\\*-]{0,80})?\\s{0,9}$`,
      'i',
    ),
  }),
  patternRule({
    id: 'path-settings-file',
    category,
    severity,
    message: 'Settings or logs of a program, by their place',
    targets: besideWords(settled),
    pattern: new RegExp(`${collectedLog}${named(settingsFile).source}`, 'i'),
  }),
  patternRule({
    id: 'path-settings-file-searched',
    category,
    severity,
    message:
      'Settings or logs of a program by their place, and no words that somebody would search for with it',
    targets: amongWords(settled),
    pattern: new RegExp(`${collectedLog}${searched(settingsFile).source}`, 'i'),
  }),
  patternRule({
    id: 'path-settings-file-written',
    category,
    severity,
    message: 'Settings or logs of a program by their place, in a text and not as a sentence mentions them',
    targets: withinTexts(settled),
    pattern: new RegExp(`${collectedLog}${mentioned(settingsFile).source}`, 'i'),
  }),
  patternRule({
    id: 'path-settings-file-told',
    category,
    severity,
    message: 'Settings or logs of a program, named in a document',
    // Collectors of logs say where a line comes from: log.file.path of ECS, the label `filename` of Loki.
    targets: (['json', 'xml', 'body'] as const).map((part) => ({
      part,
      ...(part === 'json' && { notPath: /(?:^|\.)(?:log\.file\.path|stream\.filename)$/ }),
    })),
    pattern: mentioned(settingsFile),
    score: 3,
  }),
  patternRule({
    id: 'path-system-file-told',
    category,
    severity,
    message: 'A file of the operating system, in a sentence',
    pattern: new RegExp(`${word}\\s${root}(?:${secretFile}|${settingsFile})`, 'i'),
    score: 2,
    sensitivity: 'high',
  }),
  patternRule({
    id: 'path-named-secret',
    category,
    severity,
    message: 'A file known to hold secrets, by name',
    targets: besideTexts(anywhere, sourceFiles),
    pattern: verbose('i')`
      (?:^|(?<!${plainWordEnd}\s)[/\\=:'"]|(?<!${plainWordEnd})\s)(?:
        etc[/\\]{1,2}(?:passwd|shadow)(?![.\w]\w|\s[a-z]{3})|${secretName}
      )
    `,
  }),
  patternRule({
    id: 'path-named-secret-written',
    category,
    severity,
    message: 'A file known to hold secrets, in a text and not as a sentence mentions one',
    targets: withinTexts(anywhere),
    pattern: verbose('i')`
      (?:^|[/\\=:'"](?<!(?:${writtenAgainst}|${elementOfText}|${wordEnd}\s[(~]?|\s-[iF]\s~)[/\\=:'"])|(?<!${wordEnd})\s)(?:
        etc[/\\]{1,2}(?:passwd|shadow)(?![.\w]\w|\s[a-z]{3}|${goesOnInWords})|${secretName}
      )(?<!${listing}\s\.env)
    `,
  }),
];
