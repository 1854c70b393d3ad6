import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** sun_path of a Unix socket holds 108 bytes with the closing zero on Linux, 104 on macOS: unix(7). */
const maxPathBytes = 103;

/**
 * Where the service of a data folder listens for its gateways. A folder whose path is too long for a socket
 * gets one named after its hash in the system's folder for temporary files.
 */
export function linkSocketPath(dataDir: string): string {
  const direct = path.join(dataDir, 'run', 'link.sock');
  if (Buffer.byteLength(direct) <= maxPathBytes) return direct;
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return path.join(tmpdir(), `portcullis-${process.getuid?.() ?? 'user'}-${hash}`, 'link.sock');
}

/**
 * In the system's folder for temporary files everybody may make a folder of any name, and listen in it.
 * @throws Error where the socket's folder there is another user's, a link, or open to others; ENOENT where there is none
 */
export function requireOwnFolder(socketPath: string): void {
  const folder = path.dirname(socketPath);
  if (path.dirname(folder) !== tmpdir()) return;
  const found = lstatSync(folder);
  const isOurs = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
  if (!isOurs) throw new Error(`${folder} is not a folder of this user's alone`);
}
