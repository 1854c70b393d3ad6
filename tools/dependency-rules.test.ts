import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const rules = path.join(root, 'tools', 'dependency-rules.cjs');

interface RuleFile {
  forbidden: { name: string; comment: string }[];
}
const { forbidden } = createRequire(import.meta.url)(rules) as RuleFile;

/** One violation of each rule: who imports what. */
const planted: Record<string, [from: string, specifier: string]> = {
  'engine-stands-alone': ['packages/engine/src/clock.ts', 'node:fs'],
  'contract-takes-only-vocabulary': ['packages/contract/src/sites/rules.ts', '../../../engine/src/index.ts'],
  'gateway-knows-no-service': ['packages/gateway/src/forward/a.ts', '../../../service/src/index.ts'],
  'service-knows-no-gateway': ['packages/service/src/sites/a.ts', '../../../gateway/src/index.ts'],
  'console-knows-only-the-contract': ['packages/console/src/lib/a.ts', '../../../service/src/index.ts'],
  'nothing-imports-the-cli': ['packages/gateway/src/route/a.ts', '../../../cli/src/index.ts'],
  'one-door-per-domain': ['packages/service/src/users/a.ts', '../sites/repository.ts'],
  'features-are-islands': ['packages/console/src/features/users/a.ts', '../sites/list.ts'],
  'parts-know-no-feature': ['packages/console/src/components/a.ts', '../features/sites/list.ts'],
  'no-circles': ['packages/gateway/src/limits/a.ts', './b.ts'],
  'tests-are-leaves': ['packages/gateway/src/route/b.ts', './a.test.ts'],
  resolvable: ['packages/cli/src/a.ts', './missing.ts'],
};

const clean: Record<string, string> = {
  'packages/engine/src/index.ts': '',
  'packages/engine/src/vocabulary.ts': '',
  'packages/contract/src/sites/index.ts': "import '../../../engine/src/vocabulary.ts';",
  'packages/gateway/src/index.ts': "import '../../engine/src/index.ts';",
  'packages/gateway/src/limits/b.ts': '',
  'packages/gateway/src/route/a.test.ts': '',
  'packages/service/src/index.ts': "import './sites/index.ts';",
  'packages/service/src/sites/index.ts': "import './repository.ts';",
  'packages/service/src/sites/repository.ts': '',
  'packages/console/src/features/sites/list.ts': "import '../../components/table.ts';",
  'packages/console/src/components/table.ts': '',
  'packages/cli/src/index.ts': "import '../../service/src/index.ts';\nimport '../../gateway/src/index.ts';",
};

interface Report {
  summary: { violations: { from: string; rule: { name: string } }[]; totalCruised: number };
}

function cruise(house: string, files: Record<string, string>): Report['summary'] {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.join(house, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(house, name), text);
  }
  const depcruise = path.join(root, 'node_modules', '.bin', 'depcruise');
  const args = ['--config', rules, '--output-type', 'json', 'packages'];
  const report = JSON.parse(execFileSync(depcruise, args, { cwd: house, encoding: 'utf8' })) as Report;
  return report.summary;
}

describe('the import rule', () => {
  const houses: string[] = [];
  const newHouse = () => {
    const house = mkdtempSync(path.join(tmpdir(), 'portcullis-rules-'));
    houses.push(house);
    return house;
  };
  afterAll(() => {
    for (const house of houses) rmSync(house, { recursive: true });
  });

  it('finds nothing in a house that keeps it, and did read it', () => {
    const summary = cruise(newHouse(), clean);
    expect(summary.violations).toEqual([]);
    expect(summary.totalCruised).toBe(Object.keys(clean).length);
  });

  describe('catches a planted violation of', () => {
    let caught: { from: string; rule: { name: string } }[] = [];
    beforeAll(() => {
      const violations = Object.entries(planted).map(([, [from, specifier]]) => [
        from,
        `import '${specifier}';`,
      ]);
      const circle = { 'packages/gateway/src/limits/b.ts': "import './a.ts';" };
      caught = cruise(newHouse(), { ...clean, ...Object.fromEntries(violations), ...circle }).violations;
    });

    it.each(forbidden.map((rule) => rule.name))('%s', (name) => {
      const from = planted[name]?.[0];
      expect(from, 'every rule has its planted violation').toBeDefined();
      expect(
        caught.filter((violation) => violation.rule.name === name).map((violation) => violation.from),
      ).toContain(from);
    });
  });

  it('says why each line stands', () => {
    for (const rule of forbidden) expect(rule.comment.length, rule.name).toBeGreaterThan(40);
  });
});
