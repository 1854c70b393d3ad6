import { setTimeout as delay } from 'node:timers/promises';
import type { EventBatch, EventSink } from '../../packages/contract/src/link/index.ts';
import { openStorage, type Storage } from '../../packages/service/src/storage/index.ts';
import { type CpuByPart, cpuMicrosBelow } from './cpu.ts';
import { eventOf } from './event.ts';

const batchEvents = 250;

/** Without progress for so long something is lost. */
const stalledMs = 60_000;

/** What went in and what came out of the database. */
export interface Intake {
  readonly sent: number;
  readonly stored: number;
  readonly distinct: number;
  readonly seconds: number;
  /** microseconds of processor time an event */
  readonly cpuMicros: CpuByPart;
}

/** Where events go in, and where they come out. */
export interface IntakePlace {
  /** a gateway's end of the link */
  open(): { readonly sink: EventSink; stop(): Promise<void> };
  readonly storage: Parameters<typeof openStorage>[0];
  /** processes that have no part in it */
  readonly apart: readonly number[];
}

export interface IntakePlan {
  readonly senders: number;
  readonly seconds: number;
  readonly eventsPerSecond: number;
}

/** Appends batches of so many gateways at a rate, and waits until all are stored. */
export async function measureIntake(
  place: IntakePlace,
  { senders, seconds, eventsPerSecond }: IntakePlan,
): Promise<Intake> {
  const { apart } = place;
  const storage = await openStorage(place.storage);
  const links = Array.from({ length: senders }, () => place.open());
  await delay(500);
  const cpuBefore = cpuMicrosBelow(apart);
  const began = performance.now();
  const batches = Math.ceil((seconds * eventsPerSecond) / batchEvents / senders);
  const send = async ({ sink }: (typeof links)[number], sender: number) => {
    for (let number = 0; number < batches; number += 1) {
      const events = Array.from({ length: batchEvents }, (_, index) =>
        eventOf(`s${sender}-${number}-${index}`, sender),
      );
      const batch: EventBatch = {
        id: `s${sender}-${number}`,
        gatewayId: `s${sender}`,
        events,
        counters: [],
        dropped: 0,
      };
      // Held back like a gateway's spool, while the services are behind.
      while (!(await sink.deliver(batch)).delivered) await delay(20);
      const due = began + ((number + 1) * batchEvents * senders * 1000) / eventsPerSecond;
      await delay(Math.max(0, due - performance.now()));
    }
  };
  await Promise.all(links.map(send));
  const sent = batches * senders * batchEvents;
  const count = () => countStored(storage);
  let found = await count();
  for (let movedAt = performance.now(); found.stored < sent && performance.now() - movedAt < stalledMs; ) {
    await delay(500);
    const now = await count();
    if (now.stored > found.stored) movedAt = performance.now();
    found = now;
  }
  const took = (performance.now() - began) / 1000;
  const cpuAfter = cpuMicrosBelow(apart);
  const perEvent = (part: keyof CpuByPart) => (cpuAfter[part] - cpuBefore[part]) / sent;
  const cpuMicros = {
    redis: perEvent('redis'),
    postgres: perEvent('postgres'),
    product: perEvent('product'),
  };
  for (const link of links) await link.stop();
  await storage.close();
  return { sent, ...found, seconds: took, cpuMicros };
}

/** What is in the tables of all days, and how much of it differs. */
async function countStored(storage: Storage): Promise<{ stored: number; distinct: number }> {
  let [stored, distinct] = [0, 0];
  for (const { day } of await storage.read.selectFrom('event_days').select('day').execute()) {
    const found = await storage.read
      .selectFrom(`events_${day}` as 'events_of_day')
      .select(({ fn }) => [fn.count('id').as('stored'), fn.count('id').distinct().as('ids')])
      .where('id', 'like', 's%-%')
      .executeTakeFirstOrThrow();
    stored += Number(found.stored);
    distinct += Number(found.ids);
  }
  return { stored, distinct };
}
