import type { ControlPlane, Directive } from '@portcullis/contract/link';
import type { Directives, Parts } from './parts.ts';

/** The link's end on this side, which transports may hold before the service runs and after it stopped. */
export interface OpenControlPlane {
  readonly controlPlane: ControlPlane;
  readonly directives: Directives;
  attach(parts: Parts): void;
  detach(): void;
}

/** @see OpenControlPlane */
export function openControlPlane(): OpenControlPlane {
  const listeners = new Set<(directive: Directive) => void>();
  let running: Parts | undefined;
  const directives: Directives = (directive) => {
    if (running) for (const listener of listeners) listener(directive);
  };
  const controlPlane: ControlPlane = {
    current() {
      if (!running) return [];
      return [
        { type: 'snapshot', snapshot: running.configuration.current() },
        { type: 'watch', active: running.hub.watched },
        { type: 'operators', addresses: running.operators.current() },
        running.bans.current(),
      ];
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async accept(batch) {
      // Before the start and after the stop the gateway's spool keeps it.
      return running?.intake.accept(batch) ?? { delivered: false, retry: true, reason: 'not running' };
    },
    async acceptAll(batches) {
      return running?.intake.acceptAll(batches) ?? { delivered: false, retry: true, reason: 'not running' };
    },
    async overtaken(version) {
      if (!(await running?.configuration.raiseAbove(version))) return;
      running?.log.warn('Gateways had a newer configuration than the database: its version was raised', {
        version,
      });
    },
    acceptReport(report) {
      running?.gateways.add(report);
      running?.fleet.hearGateway(report);
    },
    fleet: () => running?.fleet.list(),
    acceptSightings: (sightings) => running?.showSightings(sightings),
  };
  return {
    controlPlane,
    directives,
    attach(parts) {
      running = parts;
      for (const directive of controlPlane.current()) directives(directive);
    },
    detach() {
      running = undefined;
    },
  };
}
