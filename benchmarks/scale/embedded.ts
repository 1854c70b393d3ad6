import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLinkClient, linkSocketPath } from '../../packages/cli/src/link/index.ts';
import { startPart } from '../../packages/cli/src/redis/testing/index.ts';
import { type Intake, type IntakePlan, measureIntake } from './intake.ts';

const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** The same as on several machines, with a service on SQLite and the link of one machine. */
export async function measureEmbeddedIntake(plan: IntakePlan): Promise<Intake> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'portcullis-embedded-'));
  const service = await startPart(['service'], {
    PORTCULLIS_DATA_DIR: dataDir,
    PORTCULLIS_ADMIN_PORT: '0',
    PORTCULLIS_ADMIN_EMAIL: 'admin@example.com',
    PORTCULLIS_ADMIN_PASSWORD: 'Correct-horse-7!',
  });
  try {
    const open = () => createLinkClient(linkSocketPath(dataDir), silent);
    return await measureIntake({ open, storage: { dataDir }, apart: [] }, plan);
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
