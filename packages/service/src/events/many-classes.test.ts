import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestStorage, testDialects } from '../storage/testing/index.ts';
import { batch, securityEvent } from '../testing/index.ts';
import { countFacets, createIntake, newestEvents, rowFilter, searchEvents } from './index.ts';
import type { SearchOptions } from './search.ts';

const noon = Date.UTC(2026, 2, 3, 12);
const log = { info: () => {}, warn: () => {}, error: () => {} };
const noise = 5200;

/** Hundreds of classes lie below more events of one class than are tried at first; one of them has most of the rest. */
const events = Array.from({ length: noise + 3000 }, (_, index) => {
  const rest = index - noise;
  return securityEvent({
    id: `e${index}`,
    time: noon - Math.floor(index / 3),
    clientIp: `203.0.113.${index % 2}`,
    ...(rest < 0
      ? { siteId: 'busy', category: 'xss', ruleId: 'noise', level: 'error' }
      : {
          siteId: `site_${rest % 9}`,
          category: 'xxe',
          ruleId: rest % 3 === 0 ? 'usual|one' : `rule-${rest % 61}`,
          level: rest % 5 === 0 ? 'warning' : 'error',
        }),
  });
});

for (const dialect of testDialects()) {
  const title = `events of many classes on ${dialect.name}${dialect.missing ? ` (${dialect.missing})` : ''}`;
  describe.skipIf(dialect.missing !== undefined)(title, () => {
    let storage: TestStorage;
    beforeAll(async () => {
      storage = await dialect.open();
      const intake = createIntake({ storage, log, now: () => noon });
      // Stored oldest first, as they come; of one moment the later one is newer.
      const inOrder = events.toReversed();
      for (let start = 0; start < inOrder.length; start += 1000) {
        await intake.accept(batch({ events: inOrder.slice(start, start + 1000) }));
      }
    });
    afterAll(async () => {
      await storage.close();
      await dialect.stop();
    });

    const expected = (fits: (event: (typeof events)[number]) => boolean) =>
      events.filter(fits).map(({ id }) => id);
    const pagesOf = async (query: object, limit: number) => {
      const ids: string[] = [];
      const { read, dialect: name } = storage;
      let after: SearchOptions['after'];
      do {
        const filter = rowFilter(query);
        const page = await searchEvents({ read, dialect: name, filter, limit, after, timeLimitMs: 60_000 });
        ids.push(...page.events.map(({ id }) => id));
        after = page.next;
      } while (after);
      return ids;
    };

    it.each([
      [{ category: ['xxe'] }, 300, ({ category }: (typeof events)[number]) => category === 'xxe'],
      [{ category: ['xxe'] }, 7000, ({ category }: (typeof events)[number]) => category === 'xxe'],
      [{ level: ['warning', 'error'] }, 500, () => true],
      [{ level: ['warning'] }, 90, ({ level }: (typeof events)[number]) => level === 'warning'],
      [{ ruleId: 'usual|one' }, 400, ({ ruleId }: (typeof events)[number]) => ruleId === 'usual|one'],
      [
        { siteId: 'site_3', level: ['warning'], clientIp: '203.0.113.1' },
        10,
        ({ siteId, level, clientIp }: (typeof events)[number]) =>
          siteId === 'site_3' && level === 'warning' && clientIp === '203.0.113.1',
      ],
      [
        { category: ['xxe'], text: 'rule-7' },
        20,
        ({ category, ruleId }: (typeof events)[number]) => category === 'xxe' && ruleId === 'rule-7',
      ],
    ] as const)('come in order and each once, page by page over %j by %i', async (query, limit, fits) => {
      expect(await pagesOf(query, limit)).toEqual(expected(fits));
    });

    it('are counted where they lie below others, and are the newest of a site', async () => {
      const { read, dialect: name } = storage;
      const facets = await countFacets(read, name, rowFilter({ category: ['xxe'] }));
      expect(facets.sampled).toBe(3000);
      expect(facets.rules[0]).toEqual({ value: 'usual|one', count: 1000 });
      const newest = await newestEvents(storage, { limit: 3, siteId: 'site_4', withCategory: true });
      expect(newest.map(({ id }) => id)).toEqual(expected(({ siteId }) => siteId === 'site_4').slice(0, 3));
    });
  });
}
