import { Fleet } from '@portcullis/contract/fleet';
import { Agent, request } from 'undici';
import { requireOwnFolder } from '../link/index.ts';

const patienceMs = 3000;

/**
 * Asks the service of a data folder by its socket, which only who owns the folder may open.
 * @returns undefined where none answers, or one of a version that does not tell
 */
export async function askService(socketPath: string): Promise<Fleet | undefined> {
  const agent = new Agent({ connect: { socketPath }, headersTimeout: patienceMs, bodyTimeout: patienceMs });
  try {
    requireOwnFolder(socketPath);
    const { statusCode, body } = await request('http://service/fleet', { dispatcher: agent });
    const answer: unknown = await body.json();
    return statusCode === 200 ? Fleet.parse(answer) : undefined;
  } catch {
    return undefined;
  } finally {
    await agent.destroy();
  }
}
