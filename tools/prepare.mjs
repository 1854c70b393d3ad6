// Makes a fresh clone runnable: dependencies, then the console's bundle. Runs on any Node from 18, Debian 12's, be it
// only to say which one installs: the Node that everything else runs on (26) is itself one of the dependencies.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = path.join(root, 'node_modules', '.bin');
const lockFile = path.join(root, 'package-lock.json');
/** What npm wrote down of its last work here, whoever called it. */
const installedFile = path.join(root, 'node_modules', '.package-lock.json');
const consoleStamp = path.join(root, 'packages', 'console', 'dist', '.built-from');
const testTools = [
  ...['chromium', 'postgresql', 'redis-server', 'pebble', 'modsecurity-crs', 'faketime'],
  // What the files under deploy/ are for.
  ...['haproxy', 'nginx', 'libnginx-mod-stream', 'systemd'],
];
/** What the gateway is measured beside, and with. */
const peers = ['nginx', 'wrk', 'haproxy', 'libnginx-mod-http-modsecurity', 'modsecurity-crs'];

function fail(message) {
  console.error(`portcullis: ${message}`);
  process.exit(1);
}

function run(command, args, env = process.env) {
  const done = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env });
  if (done.error) fail(`cannot run ${command}: ${done.error.message}`);
  return done.status ?? 1;
}

function stampIs(file, value) {
  return existsSync(file) && readFileSync(file, 'utf8') === value;
}

/** Whether a package that need not be there is one for this machine. */
function isForHere({ os, cpu, libc }) {
  if (os === undefined && cpu === undefined) return false;
  const glibc = process.report.getReport().header.glibcVersionRuntime !== undefined;
  const here = { os: process.platform, cpu: process.arch, libc: glibc ? 'glibc' : 'musl' };
  const names = (list, own) => list === undefined || list.includes(own);
  return names(os, here.os) && names(cpu, here.cpu) && (here.os !== 'linux' || names(libc, here.libc));
}

/** Whether all that the lock file names is there, in its versions. */
function isInstalled() {
  if (!existsSync(installedFile)) return false;
  const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;
  const installed = packagesOf(installedFile);
  return Object.entries(packagesOf(lockFile)).every(([place, wanted]) => {
    if (!place.includes('node_modules/')) return true;
    const found = installed[place];
    if (found === undefined) return wanted.optional === true && !isForHere(wanted);
    return found.version === wanted.version && found.integrity === wanted.integrity;
  });
}

/** Parts of the build are optional to npm, which leaves them out, and says nothing, on a Node that they do not name. */
function checkInstallingNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const suits = major === 20 ? minor >= 19 : major === 22 ? minor >= 12 : major > 22;
  if (suits) return;
  fail(`Node 20.19, 22.12 or a newer one is needed to install, and this is ${process.versions.node}: take one from
https://nodejs.org and run this again. Nothing else depends on it; the product runs on a Node 26 that is installed with it.`);
}

function installDependencies() {
  if (isInstalled()) return;
  checkInstallingNode();
  console.log('Installing dependencies (once per change of package-lock.json) …');
  // npm must not run on the very Node that it is about to replace.
  const PATH = (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((dir) => dir !== bin)
    .join(path.delimiter);
  if (run('npm', ['ci', '--no-audit', '--no-fund'], { ...process.env, PATH }) !== 0) {
    fail('npm ci failed; the lines above say why. Nothing was started.');
  }
}

function checkNode() {
  const own = path.join(bin, 'node');
  const asked = spawnSync(own, ['--version'], { encoding: 'utf8' });
  if (existsSync(own) && asked.status !== 0) {
    const why = asked.stderr?.trim() || asked.error?.message;
    const library = /libatomic/.test(why ?? '') ? ' On Debian and Ubuntu: apt-get install libatomic1' : '';
    fail(`the Node that comes with the dependencies does not run here: ${why}.${library}`);
  }
  const version = asked.stdout?.trim() || process.version;
  if (Number(version.slice(1).split('.')[0]) < 26) {
    fail(`Node 26 is needed and ${version} was found. It comes with the dependencies on linux-x64, linux-arm64 and
darwin-arm64 (was npm told to omit optional ones?); elsewhere install Node 26 and run this again.`);
  }
}

function* sources(dir) {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const full = path.join(dir, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'dist' && entry.name !== 'node_modules') yield* sources(full);
    } else if (!/\.test\.tsx?$/.test(entry.name)) yield full;
  }
}

function buildConsole() {
  const hash = createHash('sha256').update(readFileSync(lockFile));
  const parts = ['packages/console', 'packages/contract/src'].map((part) => path.join(root, part));
  for (const file of parts.flatMap((part) => [...sources(part)]).sort()) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${path.relative(root, file)} ${size} ${mtimeMs}\n`);
  }
  const wanted = hash.digest('hex');
  if (stampIs(consoleStamp, wanted)) return;
  console.log('Building the console …');
  const vite = path.join(bin, 'vite');
  const PATH = `${bin}${path.delimiter}${process.env.PATH ?? ''}`;
  if (run(vite, ['build', '--logLevel', 'warn', 'packages/console'], { ...process.env, PATH }) !== 0) {
    fail('the console did not build; the lines above say why.');
  }
  mkdirSync(path.dirname(consoleStamp), { recursive: true });
  writeFileSync(consoleStamp, wanted);
}

function installed(tool) {
  return spawnSync('dpkg-query', ['--status', tool], { encoding: 'utf8' }).stdout?.includes('ok installed');
}

/** Tests start servers of their own; Debian would start each that it installs, nginx on port 80. A rule that is there stays. */
const aptWithoutStarting = `
rule=/usr/sbin/policy-rc.d
if [ ! -e $rule ]; then
  trap 'rm -f $rule' EXIT INT TERM
  printf '#!/bin/sh\\nexit 101\\n' > $rule && chmod 755 $rule
fi
apt-get -qq "$@"`;

/** Debian packages that are driven for real. Without them what needs one says that it is left out. */
function installTools(tools) {
  const missing = tools.filter((tool) => !installed(tool));
  if (missing.length === 0) return;
  const asRoot = process.getuid?.() === 0;
  const mayInstall =
    existsSync('/usr/bin/apt-get') && (asRoot || spawnSync('sudo', ['-n', 'true']).status === 0);
  if (!mayInstall) {
    console.log(
      `What needs ${missing.join(', ')} will be left out: installing takes Debian's apt-get as root or by passwordless sudo.`,
    );
    return;
  }
  console.log(`Installing from Debian: ${missing.join(', ')} …`);
  const sudo = asRoot ? [] : ['sudo', '-n'];
  const apt = (...args) => {
    const noninteractive = ['env', 'DEBIAN_FRONTEND=noninteractive'];
    const [command, ...rest] = [...sudo, ...noninteractive, 'sh', '-c', aptWithoutStarting, 'apt', ...args];
    return spawnSync(command, rest, { encoding: 'utf8' });
  };
  apt('update');
  const done = apt('install', '-y', '--no-install-recommends', ...missing);
  if (done.status !== 0)
    console.log(`Debian's packages could not be installed, what needs them is left out:\n${done.stderr}`);
}

installDependencies();
checkNode();
buildConsole();
if (process.argv.includes('--with-test-tools')) installTools(testTools);
if (process.argv.includes('--with-peers')) installTools(peers);
