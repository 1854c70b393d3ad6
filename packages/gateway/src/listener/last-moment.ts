import type { Socket } from 'node:net';

/** What comes within a turn of the event loop after its time gets so long for the rest, in milliseconds. */
const lastMomentMs = 1000;

/** What a connection is waited for with. */
interface Awaited {
  readonly arrived: () => boolean;
  readonly end: () => void;
  /** whether the connection does not count what comes, as during a handshake: then it always gets the last moment */
  readonly unseen?: boolean;
}

/**
 * Ends what has not arrived although its time is up, but once what lies in the kernel was read: where the whole process
 * was held still, with its machine or by a busy one, its timers are due before that, and a client that was never slow
 * would be cut off. Immediates come after reading. Where more had come, that may be but a part: the kernel holds no
 * more, and a handshake takes turns.
 */
export function endLate(
  connection: Pick<Socket, 'bytesRead' | 'destroyed'>,
  { arrived, end, unseen = false }: Awaited,
): void {
  const { bytesRead } = connection;
  const judge = (mayWait: boolean) => {
    if (connection.destroyed || arrived()) return;
    if (mayWait && (unseen || connection.bytesRead > bytesRead)) setTimeout(judge, lastMomentMs, false);
    else end();
  };
  setImmediate(judge, true);
}
