import type { Settings } from '../environment/index.ts';
import { fleetLines, isWell, lookAtFleet } from '../status/index.ts';

/**
 * `portcullis status`: every gateway and service, and what of it asks for attention. Exit code 1 where something is wrong
 * now, or where nothing runs: what is over is only told.
 * @param options.json the same as GET /api/fleet answers
 */
export async function runStatus(settings: Settings, { json }: { readonly json: boolean }): Promise<void> {
  const look = await lookAtFleet(settings);
  if (!look) {
    process.stderr.write(
      'portcullis: no service answers on this data folder, and there is neither a database nor Redis to ask\n' +
        'To mend it: name them as the service does: PORTCULLIS_DATA_DIR, or PORTCULLIS_DATABASE_URL, or\n' +
        'PORTCULLIS_REDIS_URL with PORTCULLIS_CLUSTER_KEY\n',
    );
    process.exitCode = 1;
    return;
  }
  const { fleet, source } = look;
  const text = json ? JSON.stringify(fleet, undefined, 2) : [source, '', ...fleetLines(fleet)].join('\n');
  process.stdout.write(`${text}\n`);
  process.exitCode = isWell(fleet) ? 0 : 1;
}
