import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/**
 * Where a header of SQLite keeps two numbers that are the application's own: they take the mark of a file that has a
 * checksum, and the checksum, so that it travels with the file and any program of SQLite's still opens it.
 * @see sqlite.org/fileformat2.html §1.3.16, §1.3.17
 */
const applicationIdAt = 68;
const checksumAt = 60;
/** "Pbak" */
const mark = 0x50_62_61_6b;

const pieceBytes = 1 << 20;

/** CRC-32 of a file, with the two numbers taken for zero. */
function checksumOf(file: number): number {
  const piece = Buffer.alloc(pieceBytes);
  let sum = 0;
  for (let at = 0; ; ) {
    const read = readSync(file, piece, 0, pieceBytes, at);
    if (read === 0) return sum;
    if (at === 0) {
      piece.fill(0, checksumAt, checksumAt + 4);
      piece.fill(0, applicationIdAt, applicationIdAt + 4);
    }
    sum = crc32(piece.subarray(0, read), sum);
    at += read;
  }
}

function withFile<T>(file: string, flags: 'r' | 'r+', work: (handle: number) => T): T {
  const handle = openSync(file, flags);
  try {
    return work(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * Writes the checksum of a finished backup into it, and waits until it is on disk. SQLite's own check finds a broken
 * page and not an address or a hash in a row that a bad disk turned into another one.
 * @param file of SQLite, open nowhere
 */
export function sumUp(file: string): void {
  withFile(file, 'r+', (handle) => {
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(checksumOf(handle));
    writeSync(handle, sum, 0, 4, checksumAt);
    sum.writeUInt32BE(mark);
    writeSync(handle, sum, 0, 4, applicationIdAt);
    fsyncSync(handle);
  });
}

/** @returns whether a file is as it was summed up; true for one that never was */
export function sumFits(file: string): boolean {
  return withFile(file, 'r', (handle) => {
    const header = Buffer.alloc(100);
    readSync(handle, header, 0, header.length, 0);
    if (header.readUInt32BE(applicationIdAt) !== mark) return true;
    return header.readUInt32BE(checksumAt) === checksumOf(handle);
  });
}
