import { systemStreamEvent } from '@portcullis/contract/streams';
import { AlertKeeper, conditionsOf, storable, UnstoredAlerts } from './alerts/index.ts';
import type { Configuration } from './configuration/index.ts';
import type { Duty } from './duty/index.ts';
import type { FleetWatch } from './fleet/index.ts';
import type { GatewayRegistry } from './gateways/index.ts';
import type { Log } from './log.ts';
import type { Storage } from './storage/index.ts';
import { ReaderGroup } from './streams/index.ts';
import { readHost, SystemSampler } from './system/index.ts';

/** The figures of the host, who reads them, and the alerts that come of them. */
export interface HostWatch {
  readonly sampler: SystemSampler;
  readonly systemReaders: ReaderGroup;
  /** what holds now, whether or not it could be stored */
  readonly unstored: UnstoredAlerts;
}

export interface HostWatchOptions {
  readonly dataDir: string;
  readonly storage: Storage;
  readonly log: Log;
  readonly now: () => number;
  readonly gateways: GatewayRegistry;
  readonly configuration: Configuration;
  readonly duty: Duty;
  readonly fleet: FleetWatch;
}

/** Hands each sample of the host to the readers, and looks at it and at the sites' health for alerts. */
export function watchHost(options: HostWatchOptions): HostWatch {
  const { storage, log, now, gateways, configuration, duty, fleet } = options;
  const systemReaders = new ReaderGroup();
  const sampler = new SystemSampler({ log, now, readHost: () => readHost(options.dataDir) });
  const keeper = new AlertKeeper(storage, now);
  // Another service kept them meanwhile.
  duty.onBegin(() => keeper.forget());
  const unstored = new UnstoredAlerts();
  let looking = false;
  sampler.subscribe((sample) => {
    systemReaders.send(systemStreamEvent, sample);
    const conditions = conditionsOf({
      sample,
      sites: configuration.current().sites,
      healthy: (id) => gateways.health(id)?.healthy,
      fleet: fleet.list().members,
    });
    unstored.look(conditions, now());
    if (looking || !duty.held) return;
    looking = true;
    keeper
      .look(storable(conditions, fleet.unstored))
      .catch((error) => log.error('Alerts could not be kept', { reason: String(error) }))
      .finally(() => {
        looking = false;
      });
  });
  return { sampler, systemReaders, unstored };
}
