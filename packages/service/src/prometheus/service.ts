import type { Metric } from './exposition.ts';

export interface ServiceFigures {
  readonly productVersion: string;
  /** of the configuration in force */
  readonly configVersion: number;
  readonly sites: readonly { readonly id: string; readonly name: string; readonly enabled: boolean }[];
  /** Unix milliseconds */
  readonly startedAt: number;
}

/** The control plane's own process, and the names that the ids of the other figures stand for. */
export function serviceMetrics(figures: ServiceFigures): Metric[] {
  const one = (name: string, help: string, value: number, type: Metric['type'] = 'gauge'): Metric => ({
    name,
    help,
    type,
    samples: [{ value }],
  });
  const { user, system } = process.cpuUsage();
  const memory = process.memoryUsage();
  return [
    {
      name: 'portcullis_build_info',
      help: 'Version of the service, always 1.',
      type: 'gauge',
      samples: [{ labels: { version: figures.productVersion }, value: 1 }],
    },
    {
      name: 'portcullis_site_info',
      help: 'Name of a site by its id; 1 while it is enabled.',
      type: 'gauge',
      samples: figures.sites.map(({ id, name, enabled }) => ({
        labels: { site: id, name },
        value: enabled ? 1 : 0,
      })),
    },
    one('portcullis_config_version', 'Version of the newest configuration.', figures.configVersion),
    one('process_cpu_seconds_total', 'Processor time of the service.', (user + system) / 1e6, 'counter'),
    one('process_resident_memory_bytes', 'Resident memory of the service.', memory.rss),
    one('process_start_time_seconds', 'When the service started, in Unix time.', figures.startedAt / 1000),
    one('nodejs_heap_size_used_bytes', 'Heap that the service uses.', memory.heapUsed),
  ];
}
