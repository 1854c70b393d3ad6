import type { ReactNode } from 'react';
import { startTransition, useEffect, useState } from 'react';

/** Where a browser has no idle callback (Safari). */
const pauseMs = 100;
const longestMs = 1_000;

/** Whether the first screen has come to rest; from then on everything is drawn at once. */
let settled = false;

/** Calls once the browser has nothing else to do, after a second at most. @returns what calls it off */
export function whenIdle(then: () => void): () => void {
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(then, pauseMs);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(then, { timeout: longestMs });
  return () => cancelIdleCallback(handle);
}

/**
 * Draws what stands below the fold of the first screen only after what stands above it, so that a slow machine
 * answers sooner. @param after whether what stands above is there
 */
export function Later(props: { after: boolean; children: ReactNode }) {
  const [ready, setReady] = useState(settled);
  const { after } = props;
  useEffect(() => {
    if (ready || !after) return;
    return whenIdle(() => {
      settled = true;
      startTransition(() => setReady(true));
    });
  }, [ready, after]);
  return ready ? props.children : null;
}
