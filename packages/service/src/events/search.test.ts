import { EventFilter, type SecurityEvent } from '@portcullis/contract/events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestStorage, testDialects } from '../storage/testing/index.ts';
import { batch, securityEvent } from '../testing/index.ts';
import { csvCell, exportText } from './export.ts';
import { countFacets } from './facets.ts';
import { rowFilter } from './filter.ts';
import { createIntake, entryOfEvent } from './index.ts';
import { PageTurns } from './page-turns.ts';
import { decodeCursor, encodeCursor, type SearchOptions, searchEvents } from './search.ts';

const noon = Date.UTC(2026, 2, 3, 12);
const hour = 3_600_000;
const present = (event: SecurityEvent) =>
  entryOfEvent(event, { siteName: () => 'Shop', countryOf: () => undefined });
const log = { info: () => {}, warn: () => {}, error: () => {} };

it('shows what a rule lets pass as allowed, and as no threat', () => {
  const passed = { kind: 'custom_rule', decision: 'allow', category: undefined, level: 'info' } as const;
  expect(present(securityEvent(passed))).toMatchObject({ action: 'allowed', decision: 'allow' });
  expect(present(securityEvent(passed)).threat).toBeUndefined();
  expect(present(securityEvent({ ...passed, decision: 'log' })).threat).toBe('custom_rule');
});

/** Three days of events, an hour apart, with known values. */
const events = Array.from({ length: 60 }, (_, index) =>
  securityEvent({
    id: `e${index}`,
    time: noon - index * hour,
    siteId: index % 2 === 0 ? 'shop' : 'blog',
    level: index % 5 === 0 ? 'warning' : 'error',
    decision: index % 5 === 0 ? 'challenge' : 'block',
    category: index % 3 === 0 ? 'xss' : 'sql_injection',
    ruleId: `rule-${index % 4}`,
    clientIp: `203.0.113.${index % 10}`,
    path: index % 6 === 0 ? '/Admin/100%_sure?"' : `/p/${index}`,
    // A message that reads like the field it is not.
    ...(index % 7 === 0 ? { status: 502 } : { message: 'Blocked in query parameter ","status":502,"y' }),
    requestId: `req-${index}`,
    count: index === 0 ? 7 : 1,
    ...(index % 11 === 4 && { decision: 'log', would: index % 2 === 0 ? 'block' : 'challenge' }),
    // Words of an attacker that read like the field.
    ...(index % 11 === 5 && { decision: 'log', path: '/p/"would":"block"' }),
  }),
);

for (const dialect of testDialects()) {
  const title = `searching events on ${dialect.name}${dialect.missing ? ` (${dialect.missing})` : ''}`;
  describe.skipIf(dialect.missing !== undefined)(title, () => {
    let storage: TestStorage;
    beforeAll(async () => {
      storage = await dialect.open();
      await createIntake({ storage, log, now: () => noon }).accept(batch({ events }));
    });
    afterAll(async () => {
      await storage.close();
      await dialect.stop();
    });
    const options = (query: object, limit = 100): SearchOptions => ({
      read: storage.read,
      dialect: storage.dialect,
      filter: rowFilter(EventFilter.parse(query)),
      limit,
    });
    const ids = async (query: object) => (await searchEvents(options(query))).events.map(({ id }) => id);
    const expected = (fits: (event: (typeof events)[number], index: number) => boolean) =>
      events.filter(fits).map(({ id }) => id);

    const filters: [object, (event: (typeof events)[number], index: number) => boolean][] = [
      [{}, () => true],
      [{ siteId: 'shop' }, ({ siteId }) => siteId === 'shop'],
      [{ level: 'warning' }, ({ level }) => level === 'warning'],
      [{ level: 'warning,error', siteId: 'blog' }, ({ siteId }) => siteId === 'blog'],
      [{ action: 'blocked' }, ({ decision }) => decision === 'block'],
      [{ category: 'xss', clientIp: '203.0.113.3' }, (_e, index) => index % 3 === 0 && index % 10 === 3],
      [{ ruleId: 'rule-2' }, (_e, index) => index % 4 === 2],
      [{ requestId: 'req-7' }, (_e, index) => index === 7],
      [{ path: '/admin/100%_' }, (_e, index) => index % 6 === 0],
      [{ path: '/p/', action: 'blocked' }, ({ decision }, index) => decision === 'block' && index % 6 !== 0],
      [{ status: '5xx' }, ({ status }) => status === 502],
      [{ would: 'block' }, ({ would }) => would === 'block'],
      [
        { would: 'block,challenge', siteId: 'shop' },
        ({ would, siteId }) => would !== undefined && siteId === 'shop',
      ],
      [{ would: 'block', action: 'blocked' }, () => false],
      [{ status: '4xx', siteId: 'shop' }, ({ status, siteId }) => status === 403 && siteId === 'shop'],
      [{ text: 'SURE?"' }, (_e, index) => index % 6 === 0],
      [{ text: '%_' }, (_e, index) => index % 6 === 0],
      [{ text: 'nowhere' }, () => false],
      [{ text: 'IN QUERY parameter ","status' }, (_e, index) => index % 7 !== 0],
      [{ text: 'curl/8' }, () => true],
      [{ text: '113.7' }, (_e, index) => index % 10 === 7],
      [{ text: 'rule-3' }, (_e, index) => index % 4 === 3],
      // Names of fields, and what stands between two of them.
      [{ text: 'gatewayId' }, () => false],
      [{ text: 'userAgent":"' }, () => false],
      [{ level: 'warning,error,error' }, () => true],
      [{ level: 'critical,warning' }, ({ level }) => level === 'warning'],
      // What is no decision of a gateway's, such as an administrator's action, is none of an event.
      [{ action: 'site.update' }, () => false],
      [{ level: '' }, () => false],
      [{ level: '', text: 'SURE?"', siteId: 'shop' }, () => false],
      [
        { from: '2026-03-02T00:00:00Z', to: '2026-03-03T00:00:00Z' },
        ({ time }) => time >= Date.UTC(2026, 2, 2) && time < Date.UTC(2026, 2, 3),
      ],
    ];
    it.each(filters)('finds what fits %j, newest first', async (query, fits) => {
      expect(await ids(query)).toEqual(expected(fits));
    });

    it.each([{}, { siteId: 'shop' }, { level: 'warning,error' }, { text: 'query parameter' }])(
      'goes page by page over %j',
      async (query) => {
        const all: string[] = [];
        let after: SearchOptions['after'];
        let pages = 0;
        do {
          const page = await searchEvents({ ...options(query, 7), after });
          all.push(...page.events.map(({ id }) => id));
          after = page.next && decodeCursor(encodeCursor(page.next));
          pages += 1;
        } while (after);
        expect(all).toEqual(await ids(query));
        expect(pages).toBeGreaterThan(3);
      },
    );

    it.each([{ text: 'nowhere' }, { text: 'query parameter' }, { siteId: 'shop' }])(
      'stops over %j at its time limit, tells how far it came and goes on from there',
      async (query) => {
        const all: string[] = [];
        const reached: (number | undefined)[] = [];
        let after: SearchOptions['after'];
        do {
          const page = await searchEvents({ ...options(query), after, timeLimitMs: -1 });
          expect(page.partial).toBe(page.next !== undefined);
          all.push(...page.events.map(({ id }) => id));
          reached.push(page.next?.time);
          after = page.next && decodeCursor(encodeCursor(page.next));
        } while (after && reached.length < 9);
        expect(all).toEqual(await ids(query));
        const days = [3, 2, 1].map((day) => Date.UTC(2026, 2, day));
        expect(reached).toEqual([...days, undefined]);
      },
    );

    it('counts the most frequent values, each event as often as it stands for', async () => {
      const facets = await countFacets(storage.read, storage.dialect, rowFilter(EventFilter.parse({})));
      expect(facets.sampled).toBe(66);
      expect(facets.sites).toEqual([
        { value: 'shop', count: 36 },
        { value: 'blog', count: 30 },
      ]);
      expect(facets.categories[0]).toEqual({ value: 'sql_injection', count: 40 });
      expect(facets.addresses).toHaveLength(10);
      expect(facets.rules[0]).toEqual({ value: 'rule-0', count: 21 });
      const narrowed = await countFacets(
        storage.read,
        storage.dialect,
        rowFilter(EventFilter.parse({ siteId: 'blog', text: 'parameter' })),
      );
      expect(narrowed.sites).toEqual([{ value: 'blog', count: 30 }]);
    });

    it('counts no longer than a search takes', async () => {
      const none = rowFilter(EventFilter.parse({}));
      const { sampled } = await countFacets(storage.read, storage.dialect, none, undefined, 0);
      // The newest day, of three.
      expect(sampled).toBe(19);
    });

    it('exports all that fits in each format', async () => {
      const texts = { ndjson: '', json: '', csv: '' };
      const turns = new PageTurns(1);
      for (const format of ['ndjson', 'json', 'csv'] as const) {
        for await (const text of exportText(options({ siteId: 'shop' }), format, present, turns)) {
          // Whoever holds the text holds up nobody.
          await turns.take(async () => undefined);
          texts[format] += text;
        }
      }
      const entries = JSON.parse(texts.json);
      expect(entries.map(({ id }: { id: string }) => id)).toEqual(
        expected(({ siteId }) => siteId === 'shop'),
      );
      expect(
        texts.ndjson
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ).toEqual(entries);
      expect(texts.csv.trimEnd().split('\r\n')).toHaveLength(31);
      expect(texts.csv).toContain('"/Admin/100%_sure?"""');
    });

    it('exports in turn with all others', async () => {
      const turns = new PageTurns(1);
      const other = Promise.withResolvers<void>();
      const held = turns.take(() => other.promise);
      let made = 0;
      const counted = (event: SecurityEvent) => {
        made += 1;
        return present(event);
      };
      const first = exportText(options({}), 'ndjson', counted, turns).next();
      await searchEvents({ ...options({}), limit: 500 });
      expect(made).toBe(0);
      other.resolve();
      await held;
      expect((await first).value).toContain('"id"');
    });
  });
}

it.each(['=1+1', '+1', '-1', '@x', '\tx', '\rx', '\n=1', '＝1+1', '＠x'])(
  'does not let a spreadsheet run %j',
  (text) => {
    expect(csvCell(text).startsWith(`"'`)).toBe(true);
  },
);

it.each([';=1', 'a; =1', 'a\t=1', 'a\n=1', 'a\r\n@x', 'a;"=1'])(
  'does not let a spreadsheet run a part of %j that it takes for a cell',
  (text) => {
    expect(csvCell(text)).toMatch(/[^=@]'[=@]/);
  },
);

it('takes no longer for a text of tabs than for another of its length', () => {
  const before = process.threadCpuUsage();
  csvCell('\t'.repeat(100_000));
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(1000);
});

it('leaves alone what runs nowhere', () => {
  expect(csvCell('/a?b=c;d=e&f=-1')).toBe('"/a?b=c;d=e&f=-1"');
});

it.each(['', 'x', '20260301.1', '2026030.1.1', '20260301.1.1 or 1=1'])('takes %j for no cursor', (text) => {
  expect(decodeCursor(text)).toBeUndefined();
});
