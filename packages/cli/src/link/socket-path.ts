import { createHash } from 'node:crypto';
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
