import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, it } from 'vitest';

const source = path.resolve(import.meta.dirname, '../..');
const styles = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@mantine/core/styles.css')),
  'styles',
);
const imported = new Set(
  Array.from(
    readFileSync(path.join(import.meta.dirname, 'mantine-parts.ts'), 'utf8').matchAll(
      /styles\/(\w+)\.layer/g,
    ),
    ([, name = '']) => name,
  ),
);

/** Every name that a file of the console takes from Mantine. */
function usedNames(): Set<string> {
  const names = globSync('**/*.{ts,tsx}', { cwd: source }).flatMap((file) =>
    Array.from(
      readFileSync(path.join(source, file), 'utf8').matchAll(/import \{([^}]*)\} from '@mantine\/core'/g),
      ([, list = '']) => list.split(',').map((name) => name.trim().split(' ')[0] ?? ''),
    ).flat(),
  );
  return new Set(names.filter((name) => name !== ''));
}

/** Without looks of their own, and built of what nobody names. */
const builtOf: Readonly<Record<string, readonly string[]>> = { MultiSelect: ['Pill', 'PillsInput'] };

it('brings the looks of every Mantine component in use', () => {
  const used = [...usedNames()].flatMap((name) => builtOf[name] ?? [name]);
  expect(used).toContain('Button');
  // What has no file of its own looks as what it is built of: TextInput is an Input.
  const styled = used.filter((name) => existsSync(path.join(styles, `${name}.layer.css`)));
  expect(styled.length).toBeGreaterThan(10);
  expect(styled.filter((name) => !imported.has(name))).toEqual([]);
});
