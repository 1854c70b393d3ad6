// `npm run pack:engine [folder]`: the engine as a package that any Node program installs, as JavaScript with types, since
// Node strips types only outside node_modules. Prints where the package stands.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const engine = path.join(root, 'packages', 'engine');
const built = path.join(engine, 'dist');
const into = path.resolve(process.argv[2] ?? path.join(root, 'dist'));

/** The source's exports, `./src/x.ts`, as the built package has them. */
function exportsOf(sources: Record<string, string>): Record<string, { types: string; default: string }> {
  return Object.fromEntries(
    Object.entries(sources).map(([door, source]) => {
      const target = source.replace(/^\.\/src\//, './').replace(/\.ts$/, '');
      return [door, { types: `${target}.d.ts`, default: `${target}.js` }];
    }),
  );
}

rmSync(built, { recursive: true, force: true });
execFileSync(path.join(root, 'node_modules', '.bin', 'tsc'), ['-p', 'packages/engine/tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
const { name, version, license, type, exports } = JSON.parse(
  readFileSync(path.join(engine, 'package.json'), 'utf8'),
) as { name: string; version: string; license: string; type: string; exports: Record<string, string> };
const manifest = {
  name,
  version,
  description: 'Judges HTTP requests: a web application firewall without I/O or dependencies',
  license,
  type,
  engines: { node: '>=24' },
  sideEffects: false,
  exports: exportsOf(exports),
};
writeFileSync(path.join(built, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
copyFileSync(path.join(engine, 'README.md'), path.join(built, 'README.md'));
copyFileSync(path.join(root, 'LICENSE'), path.join(built, 'LICENSE'));
mkdirSync(into, { recursive: true });
const [packed] = JSON.parse(
  execFileSync('npm', ['pack', built, '--pack-destination', into, '--json', '--ignore-scripts'], {
    encoding: 'utf8',
  }),
) as { filename: string }[];
console.log(path.join(into, path.basename(packed?.filename ?? '')));
