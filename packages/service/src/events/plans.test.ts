import { CompiledQuery, type KyselyPlugin, type RootOperationNode, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestStorage, testDialects } from '../storage/testing/index.ts';
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
    select ${text('evt_')}, ${sql.raw(`${start} + n * 4000`)}, case n % 9 when 0 then 'warning' else 'error' end,
      'detection', case n % 9 when 0 then 'challenge' else 'block' end, ${text('site_', 'n % 20')},
      case n % 4 when 0 then 'xss' else 'sql_injection' end, ${text('rule-', 'n % 40')}, ${text('203.0.113.', 'n % 250')},
      'shop.example.com', '/', 'GET', 403, ${text('req_')}, 1, '{}' from ${numbers}`.execute(db);
}

/** @returns the plan of each statement that a search of the day makes, as text */
async function plansOf(storage: TestStorage, filter: object, after?: Position): Promise<string[]> {
  const asked: RootOperationNode[] = [];
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      asked.push(node);
      return node;
    },
    // The rows hold no events: what is looked at is how they would be found.
    transformResult: async ({ result }) => (asked.length > 1 ? { ...result, rows: [] } : result),
  };
  const read = storage.read.withPlugin(plugin);
  await searchEvents({ read, dialect: storage.dialect, filter: rowFilter(filter), limit: 50, after });
  const plans = [];
  for (const node of asked.slice(1)) {
    const { sql: text, parameters } = storage.read.getExecutor().compileQuery(node, { queryId: 'plan' });
    const word = storage.dialect === 'postgres' ? 'explain' : 'explain query plan';
    const { rows: lines } = await storage.read.executeQuery<Record<string, unknown>>(
      CompiledQuery.raw(`${word} ${text}`, [...parameters]),
    );
    plans.push(lines.map((line) => String(line['QUERY PLAN'] ?? line['detail'])).join('\n'));
  }
  return plans;
}

const filters: readonly [name: string, filter: object, index: string][] = [
  ['nothing at all', {}, 'time'],
  ['time', { from: new Date(start + 1000).toISOString(), to: new Date(start + 9e6).toISOString() }, 'time'],
  ['site', { siteId: 'site_3' }, 'site_id'],
  ['level', { level: ['warning'] }, 'level'],
  ['levels', { level: ['warning', 'critical'] }, 'level'],
  ['category', { category: ['xss'] }, 'category'],
  ['categories', { category: ['xxe', 'csrf'] }, 'category'],
  ['rule', { ruleId: 'rule-7' }, 'rule_id'],
  ['decision', { action: ['challenged'] }, 'decision'],
  ['address', { clientIp: '203.0.113.77' }, 'client_ip'],
  ['request', { requestId: 'req_4242' }, 'request'],
  ['site and category', { siteId: 'site_5', category: ['xss'] }, 'site_category'],
  ['site and level', { siteId: 'site_5', level: ['warning'] }, 'site_id'],
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
        const walk = new RegExp(`USING INDEX events_${day}_${index}( |$)`, 'm');
        for (const after of [undefined, { day, time: start + 4e7, seq: 10_000 }]) {
          const plans = await plansOf(storage, filter, after);
          expect(plans.length).toBeGreaterThan(0);
          for (const plan of plans) {
            expect(plan).not.toMatch(/Seq Scan|SCAN events_\d+$/m);
            // PostgreSQL weighs by what it counted, and may well walk another index where half the rows fit.
            if (dialect.name === 'sqlite') expect(plan).toMatch(walk);
            else expect(plan).toMatch(/Index/);
          }
        }
      },
    );

    it('by a list of values that hardly any row has costs no more than by one', async () => {
      for (const filter of [{ level: ['warning', 'critical'] }, { category: ['xxe', 'csrf'] }]) {
        const [plan = ''] = await plansOf(storage, filter);
        expect(plan).not.toContain(`${day}_time`);
      }
    });
  });
}
