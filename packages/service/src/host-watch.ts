import { systemStreamEvent } from '@portcullis/contract/streams';
import { type ActiveAlert, AlertKeeper, conditionsOf, storable, UnstoredAlerts } from './alerts/index.ts';
import { CertificateWatch, opensKey } from './certificates/index.ts';
import type { Configuration } from './configuration/index.ts';
import type { Duty } from './duty/index.ts';
import type { FleetWatch } from './fleet/index.ts';
import type { GatewayRegistry } from './gateways/index.ts';
import type { Log } from './log.ts';
import type { Sealer } from './sealing/index.ts';
import type { Storage } from './storage/index.ts';
import type { StoredConfiguration } from './stored-configuration.ts';
import { ReaderGroup } from './streams/index.ts';
import { readHost, SystemSampler } from './system/index.ts';

/** The figures of the host, who reads them, and the alerts that come of them. */
export interface HostWatch {
  readonly sampler: SystemSampler;
  readonly systemReaders: ReaderGroup;
  /** what holds now, whether or not it could be stored */
  readonly unstored: UnstoredAlerts;
  /** Told of all alerts that last, with each look at them. */
  onAlerts(listener: (alerts: readonly ActiveAlert[]) => void): void;
}

export interface HostWatchOptions extends Pick<StoredConfiguration, 'certificates'> {
  readonly dataDir: string;
  readonly storage: Storage;
  readonly log: Log;
  readonly now: () => number;
  readonly gateways: GatewayRegistry;
  readonly configuration: Configuration;
  readonly duty: Duty;
  readonly fleet: FleetWatch;
  readonly sealer: Sealer;
}

function watchCertificates(options: HostWatchOptions): CertificateWatch {
  const { storage, log, now, configuration, certificates, sealer } = options;
  const watch = new CertificateWatch({
    now,
    log,
    sites: () => configuration.current().sites,
    stored: () => certificates.list(storage.read),
    opens: (stored) => opensKey(stored, sealer),
  });
  configuration.subscribe(() => void watch.read());
  return watch;
}

/** Hands each sample of the host to the readers, and looks at it, at sites and their certificates for alerts. */
export function watchHost(options: HostWatchOptions): HostWatch {
  const { storage, log, now, gateways, configuration, duty, fleet } = options;
  const systemReaders = new ReaderGroup();
  const sampler = new SystemSampler({ log, now, readHost: () => readHost(options.dataDir) });
  const keeper = new AlertKeeper(storage, now);
  // Another service kept them meanwhile.
  duty.onBegin(() => keeper.forget());
  const unstored = new UnstoredAlerts();
  const certificates = watchCertificates(options);
  const listeners = new Set<(alerts: readonly ActiveAlert[]) => void>();
  let looking = false;
  sampler.subscribe((sample) => {
    systemReaders.send(systemStreamEvent, sample);
    const conditions = conditionsOf({
      sample,
      lasting: keeper.lasting(),
      sites: configuration.current().sites,
      healthy: (id) => gateways.health(id)?.healthy,
      fleet: fleet.list().members,
      certificates: certificates.warnings(),
    });
    unstored.look(conditions, now());
    if (looking || !duty.held) return;
    looking = true;
    keeper
      .look(storable(conditions, fleet.unstored))
      .then((active) => {
        for (const listener of listeners) listener(active);
      })
      .catch((error) => log.error('Alerts could not be kept', { reason: String(error) }))
      .finally(() => {
        looking = false;
      });
  });
  return { sampler, systemReaders, unstored, onAlerts: (listener) => void listeners.add(listener) };
}
