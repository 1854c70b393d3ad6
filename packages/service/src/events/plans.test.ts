import { CompiledQuery, type KyselyPlugin, type RootOperationNode, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { classOf } from '../storage/index.ts';
import { type TestStorage, testDialects } from '../storage/testing/index.ts';
import { classesOf } from './classes.ts';
import { dayOf, ensureDay } from './days.ts';
import { rowFilter } from './filter.ts';
import { type Position, searchEvents } from './search.ts';

const start = Date.UTC(2026, 0, 2);
const day = dayOf(start);
const rows = 20_000;

/** Rows that an index tells apart, and values that no row has, made by the database itself. */
async function fill({ transaction, db, dialect }: TestStorage): Promise<void> {
  await transaction((trx) => ensureDay(trx, day, dialect));
  const numbers =
    dialect === 'postgres'
      ? sql`generate_series(1, ${rows}::int) as numbers(n)`
      : sql`(with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${rows})
          select n from numbers)`;
  const text = (parts: string, n = 'n') => sql.raw(`'${parts}' || cast(${n} as text)`);
  await sql`insert into ${sql.table(`events_${day}`)} (id, time, level, kind, decision, site_id, category, rule_id,
      client_ip, host, path, method, status, request_id, count, body)
    select ${text('evt_')}, ${sql.raw(`${start} + n * 4000`)}, case when n % 9 = 0 and n % 5 > 0 then 'warning' else 'error' end,
      'detection', case when n % 9 = 0 and n % 5 > 0 then 'challenge' else 'block' end, case n % 5 when 0 then 'busy' else ${text('site_', 'n % 20')} end,
      case n % 4 when 0 then 'xss' else 'sql_injection' end, ${text('rule-', 'n % 40')}, ${text('203.0.113.', 'n % 250')},
      'shop.example.com', '/', 'GET', 403, ${text('req_')}, 1, '{}' from ${numbers}`.execute(db);
  await sql`insert into event_classes (day, name)
    select distinct cast(${day} as integer), ${classOf(dialect)} from ${sql.table(`events_${day}`)}`.execute(
    db,
  );
}

/** @returns the plan of each statement that a page of the day makes, as text; on PostgreSQL with what it read */
async function plansOf(storage: TestStorage, filter: object, after?: Position): Promise<string[]> {
  const asked: RootOperationNode[] = [];
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      asked.push(node);
      return node;
    },
    // The rows hold no events: what is looked at is how they would be found.
    transformResult: async ({ result }) => ({
      ...result,
      rows: result.rows.filter((row) => !('body' in row)),
    }),
  };
  const read = storage.read.withPlugin(plugin);
  await searchEvents({ read, dialect: storage.dialect, filter: rowFilter(filter), limit: 50, after });
  const plans = [];
  for (const node of asked.slice(1)) {
    const { sql: text, parameters } = storage.read.getExecutor().compileQuery(node, { queryId: 'plan' });
    const word = storage.dialect === 'postgres' ? 'explain analyze' : 'explain query plan';
    const { rows: lines } = await storage.read.executeQuery<Record<string, unknown>>(
      CompiledQuery.raw(`${word} ${text}`, [...parameters]),
    );
    // The list of a day's classes is a short table.
    if (text.includes('event_classes')) continue;
    plans.push(lines.map((line) => String(line['QUERY PLAN'] ?? line['detail'])).join('\n'));
  }
  return plans;
}

const anyScan = /Seq Scan|SCAN (e|events_\d+)$/m;
const clientIp = '203.0.113.77';
const filters: readonly [name: string, filter: object, index: string][] = [
  ['nothing at all', {}, 'time'],
  ['time', { from: new Date(start + 1000).toISOString(), to: new Date(start + 9e6).toISOString() }, 'time'],
  ['site', { siteId: 'site_3' }, 'class'],
  ['level', { level: ['warning'] }, 'class'],
  ['levels', { level: ['warning', 'critical'] }, 'class'],
  ['category', { category: ['xss'] }, 'class'],
  ['categories', { category: ['xxe', 'xss'] }, 'class'],
  ['rule', { ruleId: 'rule-7' }, 'class'],
  ['decision', { action: ['challenged'] }, 'class'],
  ['address', { clientIp }, 'client_ip'],
  ['request', { requestId: 'req_4242' }, 'request'],
  ['request, site and address', { requestId: 'req_4242', siteId: 'site_2', clientIp }, 'request'],
  ['site and category', { siteId: 'site_4', category: ['xss'] }, 'class'],
  ['site and level', { siteId: 'site_4', level: ['warning'] }, 'class'],
  ['level and rule', { level: ['warning'], ruleId: 'rule-7' }, 'class'],
  ['site and address', { siteId: 'site_7', clientIp }, 'client_class'],
  ['address and level', { clientIp, level: ['warning'] }, 'client_class'],
];

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`a page of events on ${dialect.name}${why}`, () => {
    let storage: TestStorage;
    beforeAll(async () => {
      storage = await dialect.open();
      await fill(storage);
    });
    it('by request is a walk of its index in order, before the database has counted anything', async () => {
      const plans = await plansOf(storage, { requestId: 'req_4242' });
      expect(plans.length).toBeGreaterThan(0);
      for (const plan of plans) {
        expect(plan).toContain(`${day}_request`);
        // PostgreSQL may sort the hundred rows that it guesses; SQLite goes by the index alone.
        expect(plan).not.toContain('TEMP B-TREE');
      }
      if (dialect.name === 'postgres') await sql`analyze`.execute(storage.db);
    });

    afterAll(async () => {
      await storage.close();
      await dialect.stop();
    });

    it.each(filters)(
      'by %s is a walk of its index, from the top and from a cursor',
      async (_name, filter, index) => {
        const walk = new RegExp(`INDEX events_${day}_${index}( |$)`, 'm');
        for (const after of [undefined, { day, time: start + 4e7, seq: 10_000 }]) {
          const plans = await plansOf(storage, filter, after);
          expect(plans.length).toBeGreaterThan(0);
          // A co-routine is a walk that was put into words before.
          const scan = (plan: string) => (plan.startsWith('CO-ROUTINE e\n') ? /SCAN events_\d+$/m : anyScan);
          for (const plan of plans) expect(plan).not.toMatch(scan(plan));
          // The last one reads the page itself.
          if (dialect.name === 'sqlite') expect(plans.at(-1)).toMatch(walk);
          else for (const plan of plans) expect(thrownAway(plan)).toBeLessThan(100);
        }
      },
    );

    it.skipIf(dialect.name === 'postgres')(
      'of many classes reads the index, and rows of the page alone',
      async () => {
        const filter = { level: ['error'] };
        const names = await classesOf({ ...storage, day }, rowFilter(filter));
        expect(names?.length).toBeGreaterThan(32);
        const [plan = '', ...further] = await plansOf(storage, filter);
        expect(further).toEqual([]);
        const walks = plan.split('\n').filter((line) => line.includes(`${day}_class`));
        expect(walks).toHaveLength(names?.length ?? 0);
        for (const walk of walks) expect(walk).toContain('COVERING INDEX');
      },
    );

    it('by what no event has together reads none, however many have one of it', async () => {
      // A ninth of all are warnings, a fifth stands at these sites, and no site of these has any.
      for (const filter of [
        { siteId: 'busy', level: ['warning'] },
        { siteId: 'site_1', category: ['ssrf'] },
        { clientIp, level: ['debug'] },
      ]) {
        const plans = await plansOf(storage, filter);
        expect(plans).toEqual([]);
      }
    });
  });
}

/** How many rows PostgreSQL read and did not want. */
function thrownAway(plan: string): number {
  return [...plan.matchAll(/Rows Removed by Filter: (\d+)/g)].reduce(
    (sum, [, rows]) => sum + Number(rows),
    0,
  );
}
