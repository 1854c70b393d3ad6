import { startService } from '../../packages/service/src/testing/index.ts';

const formats = ['ndjson', 'json', 'csv'] as const;

/** What exports of all events cost the service, by format. */
export interface ExportFigures {
  readonly format: string;
  readonly megabytes: number;
  readonly seconds: number;
  /** by how much the process grew after the first tenth of the text, megabytes */
  readonly grewBy: number;
}

async function exported(
  base: string,
  token: string,
  format: string,
  expected: number,
): Promise<ExportFigures> {
  const began = performance.now();
  const response = await fetch(`${base}/api/events/export?format=${format}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!response.ok || !response.body) throw new Error(`the export answered ${response.status}`);
  let bytes = 0;
  let early = 0;
  let most = 0;
  for await (const chunk of response.body) {
    bytes += chunk.length;
    const memory = process.memoryUsage.rss();
    if (bytes < expected / 10) early = Math.max(early, memory);
    else most = Math.max(most, memory);
  }
  return {
    format,
    megabytes: Math.round(bytes / 1e6),
    seconds: Math.round((performance.now() - began) / 1000),
    grewBy: Math.round((most - early) / 1e6),
  };
}

/** Reads all events through the API in each format, with a reader in the same process. */
export async function measureExports(
  place: { readonly dataDir: string; readonly databaseUrl: string | undefined },
  events: number,
): Promise<ExportFigures[]> {
  const service = await startService(place);
  try {
    const token = await service.signIn();
    const figures: ExportFigures[] = [];
    // An entry has about 500 bytes in JSON and 250 in CSV.
    for (const format of formats) {
      figures.push(await exported(service.base, token, format, events * (format === 'csv' ? 250 : 500)));
    }
    return figures;
  } finally {
    await service.stop();
  }
}
