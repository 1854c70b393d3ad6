import { SystemSample } from '@portcullis/contract/monitoring';
import { systemStreamEvent } from '@portcullis/contract/streams';
import { useEffect, useState } from 'react';
import { openStream } from '../stream/index.ts';
import { useVisible } from './use-visible.ts';

/** How many samples the live chart remembers. */
export const historyLimit = 30;

/** A sample with the moment it arrived (Unix milliseconds) and the network rates since the one before. */
export interface LiveSample extends SystemSample {
  at: number;
  /** bytes a second; undefined for the first sample */
  inRate: number | undefined;
  outRate: number | undefined;
}

/** The live figures of the host. After an error the data stays, with the reason beside it. */
export interface SystemStream {
  latest: LiveSample | undefined;
  history: readonly LiveSample[];
  problem: 'no-token' | 'lost' | undefined;
}

/** Follows GET /api/metrics/system/stream while the tab is in sight. */
export function useSystemStream(): SystemStream {
  const visible = useVisible();
  const [history, setHistory] = useState<readonly LiveSample[]>([]);
  const [problem, setProblem] = useState<SystemStream['problem']>();
  useEffect(() => {
    if (!visible) return;
    return openStream({
      path: '/api/metrics/system/stream',
      query: {},
      onState: (state, reason) => {
        if (state === 'disconnected') setProblem(reason);
      },
      on: {
        [systemStreamEvent]: (data) => {
          const sample = readSample(data);
          if (!sample) return;
          setProblem(undefined);
          setHistory((before) => addSample(before, sample, Date.now()));
        },
      },
    });
  }, [visible]);
  return { latest: history.at(-1), history, problem };
}

function readSample(data: string): SystemSample | undefined {
  try {
    return SystemSample.safeParse(JSON.parse(data)).data;
  } catch {
    return undefined;
  }
}

/** Adds a sample with its network rates; the oldest beyond the limit is forgotten. */
export function addSample(
  history: readonly LiveSample[],
  sample: SystemSample,
  at: number,
): readonly LiveSample[] {
  const before = history.at(-1);
  const seconds = before ? (at - before.at) / 1000 : 0;
  const rate = (now: number, then: number | undefined): number | undefined =>
    then === undefined || seconds <= 0 || now < then ? undefined : (now - then) / seconds;
  const live = {
    ...sample,
    at,
    inRate: rate(sample.network_in, before?.network_in),
    outRate: rate(sample.network_out, before?.network_out),
  };
  return [...history, live].slice(-historyLimit);
}
