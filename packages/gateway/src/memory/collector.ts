import { setFlagsFromString } from 'node:v8';

/**
 * Tells V8 to begin every object young. Where code was seen to make objects that live on, as bodies do that arrive
 * slowly, it would otherwise make the next ones old from the start, and each then keeps its whole request from being
 * collected, see docs/decisions/020. Holds for the process; safe to repeat.
 */
export function keepNewObjectsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
