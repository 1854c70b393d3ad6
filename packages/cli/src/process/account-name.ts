import { userInfo } from 'node:os';

/** Who runs the command: behind sudo who asked for it. A container's account may have a number alone. */
export function accountName(): string {
  const asked = process.env['SUDO_USER'];
  if (asked) return asked;
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
