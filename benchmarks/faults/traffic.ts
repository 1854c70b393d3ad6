import { type IncomingMessage, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Ledger } from './ledger.ts';

const lanes = 2;
const pauseMs = 20;
/** one request of so many is an attack */
const attackEvery = 5;
const patienceMs = 10_000;
const attack = "/?q=1'%20union%20select%20password%20from%20users--";

/** Whom clients ask. */
export interface Door {
  readonly address: string;
  /** changes when a gateway starts again */
  readonly port: () => number;
  readonly host: string;
  readonly ledger: Ledger;
}

/** Constant traffic to all doors. */
export interface Traffic {
  start(): void;
  /** resolves once every request has its answer */
  stop(): Promise<void>;
}

/** @returns requests at a steady rate, each attack from a client of its own, so that none is counted into another */
export function createTraffic(doors: readonly Door[]): Traffic {
  let running: Promise<unknown> | undefined;
  let stopping = false;
  let number = 0;
  const lane = async (door: Door) => {
    while (!stopping) {
      number += 1;
      const { down } = door.ledger;
      await exchange(door, number).catch((error: Error) => door.ledger.fail(error, down));
      await delay(pauseMs);
    }
  };
  return {
    start() {
      stopping = false;
      running = Promise.all(doors.flatMap((door) => Array.from({ length: lanes }, () => lane(door))));
    },
    async stop() {
      stopping = true;
      await running;
    },
  };
}

async function exchange({ address, port, host, ledger }: Door, number: number): Promise<void> {
  const attacks = number % attackEvery === 0;
  const client = `2001:db8:${(number >>> 16).toString(16)}:${(number & 0xffff).toString(16)}::1`;
  const began = performance.now();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request({
      host: address,
      port: port(),
      path: attacks ? attack : '/',
      agent: false,
      headers: { host, accept: 'application/json', 'x-forwarded-for': client },
    });
    asked.setTimeout(patienceMs, () => asked.destroy(new Error(`no answer within ${patienceMs} ms`)));
    asked.on('response', resolve).on('error', reject).end();
  });
  let body = '';
  for await (const chunk of response.setEncoding('utf8')) body += chunk;
  ledger.answer(attacks, response.statusCode ?? 0, referenceIn(body), performance.now() - began);
}

function referenceIn(body: string): string | undefined {
  try {
    return (JSON.parse(body) as { requestId?: string }).requestId;
  } catch {
    return undefined;
  }
}
