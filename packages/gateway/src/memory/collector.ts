import { setFlagsFromString } from 'node:v8';

/**
 * Fits V8's collector to a process whose objects live as long as a request, see docs/decisions/024. Every object
 * begins young: where code was seen to make objects that live on, as bodies do that arrive slowly, V8 would make the
 * next ones old from the start. And one thread collects what is young: so little of it is left that waking others costs
 * more than they do, and there is a worker on each core already. Holds for the process; safe to repeat.
 */
export function fitCollector(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString('--no-parallel-scavenge');
}
