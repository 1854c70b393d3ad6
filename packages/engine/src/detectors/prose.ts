import { verbose } from '../verbose.ts';

/*
 * What writing looks like around something that it mentions, for patterns with the flag `i` over bytes of UTF-8.
 * Languages other than English end words with bytes beyond ASCII, and many set no spaces.
 */

/** The end of a word, behind which a space is due: 'how to edit /etc/hosts', 'Ändringar i /etc/fstab', 'e.g. /etc/motd'. */
export const plainWordEnd = /[a-z\x80-\xff.][a-z\x80-\xff](?:\s[a-z])?[,:;.]?/;

/** The same, or of an element of text. */
export const wordEnd =
  /(?:[a-z\x80-\xff.][a-z\x80-\xff](?:\s[a-z])?|<\/(?:em|strong|[abiu]|span|code)>)[,:;.]?/;

/** The parenthesis of an aside: 'the shell (/bin/sh)'. Behind a word that a shell reserves it opens a group of commands. */
export const asideOpens = verbose()`
  ${wordEnd}\s\((?<!(?:^|[;|&\n(\`{])\s{0,9}(?:(?:time|if|then|else|elif|while|until|do|coproc|!)\s{1,9}){1,3}\()
`;

/** Two letters of a script beyond ASCII. */
const foreign = /(?:[\xc3-\xf4][\x80-\xbf]{1,3}){2}/;

/** What a mention is set against without a space: a word of such a script, or marks that only writers use («, “, 「, （), and one more sign. */
export const writtenAgainst = verbose()`
  (?:
    ${foreign}|\xc2[\xab\xbb]|\xe2\x80[\x98-\x9e]|\xe3\x80[\x80-\x8f]|\xef\xbc[\x88\x8c\x9a]
  )["'\`(]?
`;

/** The tag of an element of text, which a mention stands behind: `<em>/etc/fstab</em>`. */
export const elementOfText = verbose()`
  <\/?(?:
    p|b|i|u|s|a|em|strong|span|div|li|t[dht]|h[1-6]|d[dt]|code|kbd|samp|pre|small|mark|font|label|caption|figcaption
    |blockquote|summary|section|article|br\s?\/?
  )(?:\s[^<>]{0,200})?>
`;

/**
 * What goes on in words behind a mention: '/etc/passwd - felhasználói account', '`/etc/passwd` 文件', '/etc/group and
 * /etc/gshadow'. A quote closes only what the same one opened behind a word. Only for fields that promise a text, and
 * never behind a sign that a shell ends a command with.
 */
export const goesOnInWords = verbose()`
  (?<!(?:[|$]|&(?!\w{2,8};)|(?<!&\w{2,8});|\`\w{1,20}\s)[^\n]{0,160})
  (?:(?<=(?:[a-z\x80-\xff]{2}[,:;.]?\s|^(?=\`))(?<quote>["'\`])[^\s"'\`]{1,120})\k<quote>|[)\]])?[,;:.]?(?:
    \s{1,9}(?:-{1,2}\s)?[a-z\x80-\xff]{2,24}[\s-](?:[a-z]\s)?[a-z\x80-\xff]{2,24}(?![\w.(=])
    |\s?(?:${foreign}|[\xe1-\xee][\x80-\xbf]{2}[\s,])
    |\s(?:and|or|und|oder|et|ou|og|och|en|of|y|e|i|lub|ve)\s[/\\]
  )
`;
