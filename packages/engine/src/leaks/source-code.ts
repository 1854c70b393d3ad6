import type { LeakRule } from './rule.ts';

const source = { kind: 'source_code', severity: 'high', secret: true } as const;

/**
 * Programs that a server should have run instead of sent, and files of settings beside them. Pages that talk about
 * code escape its brackets, and most of these count at the very beginning of an answer alone.
 */
export const sourceCode: readonly LeakRule[] = [
  {
    ...source,
    id: 'leak-source-php',
    message: 'PHP source code',
    literal: '<?php',
    pattern: /(?:^\s{0,20}|>\s{0,40})<\?php\s{1,20}(?:\/[/*]|[$a-z@#\\])/i,
  },
  {
    ...source,
    id: 'leak-source-jsp-asp',
    message: 'JSP or ASP source code',
    literal: '<%@',
    pattern: /(?:^\s{0,20}|>\s{0,40})<%@\s{0,4}(?:page|taglib|include|language|control|master|webhandler)\s/i,
  },
  {
    ...source,
    id: 'leak-source-script',
    message: 'source code of a script',
    literal: '#!',
    pattern:
      /^#! ?\/(?:usr\/(?:local\/)?)?bin\/(?:env +)?(?:bash|sh|dash|zsh|ksh|perl|python|ruby|node|php)[\d.]{0,4}\s/,
  },
  {
    ...source,
    id: 'leak-source-java',
    message: 'Java source code',
    literal: 'package ',
    pattern: /^\s{0,20}package [\w.]{1,200};\s{1,20}import (?:static )?[\w.]{1,200}(?:\.\*)?;/,
  },
  {
    ...source,
    id: 'leak-source-python',
    message: 'Python source code',
    literal: 'import ',
    pattern: /^(?:from [\w.]{1,100} import [\w, *]{1,200}\r?\n|import [\w., ]{1,100}\r?\n){2}/,
  },
  {
    ...source,
    id: 'leak-source-environment',
    message: 'file of environment settings with secrets',
    literal: '=',
    pattern:
      /^(?:(?:#[^\r\n]{0,200}|[A-Z][A-Z0-9_]{1,60}=[^\r\n]{0,300})?\r?\n){0,40}[A-Z0-9_]{0,60}(?:PASSWORD|SECRET|API_KEY|TOKEN|PRIVATE_KEY)=[^\s<]{4}/,
  },
  {
    ...source,
    id: 'leak-source-git',
    message: 'settings of a Git repository',
    literal: 'repositoryformatversion',
    pattern: /^\s{0,20}\[core\]\s{1,20}repositoryformatversion = \d/,
  },
];
