import type { MultipartPart } from '../../parse/index.ts';
import type { StructureCheck, StructureFinding } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';

const runnable = verbose('i')`
  \.(?:
    php\d?|phtml|phps|pht|phar|pgif|shtml|htaccess|inc|jspx?|jspf|jsw|jsv|jtml|asp|aspx|ashx|asmx|asa|cer|cdx|ascx
    |cshtml|vbhtml|soap|cfm|cfml|cfc|dbm|war|jar|class|cgi|pl|py|rb|sh|bash|exe|dll|com|scr|bat|cmd|ps1|psm1|vbs
    |vbe|js[ew]|wsf|wsh|hta|lnk|msi|msp|cpl|reg|sct|config|user\.ini
  )(?=$|[.;:%\s\0/\\~])
`;

const harmless =
  /\.(?:jpe?g|png|gif|bmp|webp|ico|svg|pdf|txt|docx?|xlsx?|pptx?|csv|zip|gz|mp[34]|avi|mov|wav)$/i;

/** First file name of any upload for which `judge` holds, as a finding. */
function first(
  files: readonly MultipartPart[],
  judge: (filename: string, part: MultipartPart) => boolean,
): StructureFinding | undefined {
  for (const part of files) {
    const filename = part.filenames.find((name) => judge(name, part));
    if (filename !== undefined) return { target: `filename:${part.name}`, value: filename };
  }
  return undefined;
}

/** A name that a web server or an operating system would run. */
export const runnableUpload: StructureCheck = ({ files }) =>
  first(files, (name, { content }) => {
    const base = baseName(name);
    return isRunnable(base) && (!programText.test(base) || remoteControl.test(content));
  });

/** The text of a program that only a server set up for it would run, so what it does decides: `runnableUpload`. */
export const programUpload: StructureCheck = ({ files }) =>
  first(files, (name) => programText.test(baseName(name)));

/** Homework, notebooks and plugins come as these, and no web server runs them by their name alone. */
const programText = /\.(?:py|rb)$/i;

/** Runs what a request says, or hands a shell to somebody elsewhere. */
const remoteControl = verbose('i')`
  \b(?:os\.(?:system|popen)|subprocess\.\w{1,20}|eval|exec|system)\s{0,9}\(\s{0,9}\[?\s{0,9}(?:
    form\b|request\.|params\b|self\.path|cgi\.|os\.environ|env\[
  )
  |\bcgi\.(?:fieldstorage|new)\b[\s\S]{0,2000}?(?:
      \bos\.(?:system|popen)|\bsubprocess\.|\beval\s{0,9}\(|\bexec\s{0,9}\(|\bsystem\s{0,9}\(|\`
    )
  |\b(?:os\.(?:system|popen)|subprocess\.\w{1,20})\s{0,9}\(\s{0,9}["'](?:curl|wget)\s[^"'\n]{1,200}\|\s{0,9}(?:ba)?sh\b
  |\bos\.dup2\s{0,9}\(
  |\bpty\.spawn\s{0,9}\(
  |\/dev\/tcp\/
  |\bTCPSocket\b[\s\S]{0,400}?\b(?:exec|popen|spawn)\b
  |\bsocket\b[\s\S]{0,1000}?(?:\bsubprocess\.(?:call|run|popen)|\bos\.(?:system|popen)|\/bin\/(?:ba)?sh)
`;

function isRunnable(base: string): boolean {
  const found = runnable.exec(base);
  // Nothing after the extension, or what a server or file system drops.
  return found !== null && /^(?:[.\s~]*$|[;:\0]|%00)/.test(base.slice(found.index + found[0].length));
}

const nameHeaders = ['x-filename', 'x_filename', 'x.filename', 'x-file-name', 'slug'] as const;

/** A runnable name in a header, as uploads with a bare body give it. */
export const runnableHeaderName: StructureCheck = ({ headers }) => {
  for (const name of nameHeaders) {
    const value = headers.get(name)?.[0];
    if (value !== undefined && runnable.test(baseName(value))) return { target: `header:${name}`, value };
  }
  return undefined;
};

/** What web servers run, whoever asks for it. */
const serverPage =
  /\.(?:php\d?|phtml|phps|pht|phar|shtml|jspx?|jspf|asp|aspx|ashx|asmx|asa|cdx|cshtml|cfml?|cgi)(?=$|[.;:%\s\0/\\~])/i;
/** The end of a name, where servers and file systems read another than what is written. */
const misread = /[;\0\\]|%(?:00|3b|5c|20)|::\$data|\.$|\s$/i;

/**
 * A file that is no program until it is moved (RFC 4918 §9.9): `x.txt` to `x.asp`, or to `x.asp;.txt`, which some servers take for
 * one. A program that only changes its folder or its name is one that somebody keeps there.
 */
export const renamedToProgram: StructureCheck = ({ headers, path }, { method }) => {
  const destination = headers.get('destination')?.[0];
  if (destination === undefined || !/^(?:move|copy)$/i.test(method)) return undefined;
  const to = baseName(destination.replace(/\/{1,9}$/, ''));
  return serverPage.test(to) && (misread.test(to) || !serverPage.test(baseName(path)))
    ? { target: 'header:destination', value: destination }
    : undefined;
};

/**
 * Before the last extension; where words go on behind it, the name mentions a program ('Notes on build.sh for Anna.pdf'),
 * and `.com` is where most shops are ('Invoice amazon.com.pdf'). No server takes it for a program.
 */
const innerExtension = new RegExp(`[^](?!\\.com\\b)${runnable.source}(?!\\s[(]?[\\w&,-])`, 'i');

/**
 * `report.py.txt`: how people send a script past a mail server. Apache's AddHandler looks at every extension of a name, so
 * only what neither says which interpreter runs it nor does what a request says is one of these.
 */
const renamedScript = /^[^.]{1,80}\.(?:py|rb|sh|ps1|bat|cmd)\.txt$/i;

/** `shell.php.jpg`, `shell.jpg.php`, `shell.asp;.jpg`, `shell.php%00.jpg`, `.htaccess`. */
export const doubleExtension: StructureCheck = ({ files }) =>
  first(files, (name, { content }) => {
    const base = baseName(name);
    return (
      (harmless.test(base) &&
        innerExtension.test(base) &&
        !(renamedScript.test(base) && !/^\s*#!/.test(content) && !remoteControl.test(content))) ||
      /^\.(?:htaccess|htpasswd|user\.ini)$/i.test(base) ||
      /^web\.config$/i.test(base) ||
      (/[\0;]|%00|::\$data|\.\s{0,4}$/i.test(name) && runnable.test(base))
    );
  });

/**
 * `filename="R_sum_.pdf"; filename*=UTF-8''R%C3%A9sum%C3%A9.pdf`: the same name for those who read ASCII alone, so its extension is
 * the same. RFC 6266 §4.3.
 */
function isFallback({ filenames: names, head }: MultipartPart): boolean {
  const extensions = names.map((name) => harmless.exec(name)?.[0].toLowerCase());
  return (
    names.length === 2 &&
    /filename\s{0,9}=(?![\s\S]*filename\s{0,9}=)/i.test(head) &&
    /filename\*\s{0,9}=/i.test(head) &&
    extensions[0] !== undefined &&
    extensions[0] === extensions[1] &&
    names.every((name) => !runnable.test(name) && !/[/\\\0\r\n]|;(?!\s)|%00/.test(name))
  );
}

/** Two names for one upload, or one that holds a line break: parsers differ on which counts. */
export const ambiguousName: StructureCheck = ({ files }) => {
  for (const part of files) {
    if (new Set(part.filenames).size > 1 && !isFallback(part))
      return { target: `filename:${part.name}`, value: part.filenames.join(' | ') };
    if ((part.head.match(/content-disposition\s*:/gi)?.length ?? 0) > 1)
      return { target: `filename:${part.name}`, value: part.head };
  }
  return undefined;
};

const signatures: readonly (readonly [type: RegExp, magic: RegExp])[] = [
  [/^image\/jpe?g/i, /^\xff\xd8\xff/],
  [/^image\/png/i, /^\x89PNG/],
  [/^image\/gif/i, /^GIF8[79]a/],
  [/^image\/webp/i, /^RIFF[\s\S]{4}WEBP/],
  [/^image\/bmp/i, /^BM/],
  [/^application\/pdf/i, /^[\s\S]{0,1024}%PDF-/],
];

/** Declared as an image or document, and text that a server could run instead. Empty uploads pass. */
export const typeMismatch: StructureCheck = ({ files }) => {
  for (const part of files) {
    if (part.content.length < 4) continue;
    const declared = signatures.find(([type]) => type.test(part.contentType));
    if (!declared || declared[1].test(part.content)) continue;
    if (/^(?:MZ|\x7fELF|#!|\xca\xfe\xba\xbe|\s{0,9}<[?%!a-z])/i.test(part.content))
      return { target: `file:${part.name}`, value: part.content.slice(0, 200) };
  }
  return undefined;
};

function baseName(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
}
