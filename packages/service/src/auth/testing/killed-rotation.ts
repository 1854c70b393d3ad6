// A process that replaces the token key and is gone before the transaction stands.
// Started as `node killed-rotation.ts DATA_DIR [DATABASE_URL]`.
import { createAuditLog } from '../../audit/index.ts';
import { loadSealer } from '../../sealing/index.ts';
import { openStorage } from '../../storage/index.ts';
import { replaceTokenKey } from '../key-rotation.ts';
import { loadTokenSigner } from '../tokens.ts';

const [dataDir = '', databaseUrl] = process.argv.slice(2);
const storage = await openStorage({ dataDir, databaseUrl });
const parts = {
  signer: await loadTokenSigner(storage, await loadSealer(dataDir), Date.now),
  audit: createAuditLog(storage, Date.now),
};
await storage.transaction(async (trx) => {
  await replaceTokenKey(trx, parts, { email: 'ada@example.com', ip: '127.0.0.1' });
  process.kill(process.pid, 'SIGKILL');
  await new Promise(() => {});
});
