import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A file system that is soon full. */
export interface SmallDisk {
  readonly dir: string;
  unmount(): void;
}

/** Mounts a file system of a few megabytes, in memory. @returns undefined where that is not allowed: only root can */
export function mountSmall(megabytes: number): SmallDisk | undefined {
  const dir = mkdtempSync(path.join(tmpdir(), 'portcullis-small-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', dir], { stdio: 'ignore' });
  } catch {
    rmSync(dir, { recursive: true });
    return undefined;
  }
  return {
    dir,
    unmount() {
      execFileSync('umount', ['--lazy', dir]);
      rmSync(dir, { recursive: true });
    },
  };
}

/**
 * Has whoever looks for a folder find it unchangeable, as where the system puts a failing disk out of harm's way; what
 * is open goes on. @returns undefined where that is not allowed: only root can
 */
export function mountReadOnly(dir: string): { unmount(): void } | undefined {
  const mount = (...args: string[]) => execFileSync('mount', args, { stdio: 'ignore' });
  try {
    mount('--bind', dir, dir);
  } catch {
    return undefined;
  }
  mount('-o', 'remount,bind,ro', dir);
  return { unmount: () => void execFileSync('umount', ['--lazy', dir]) };
}
