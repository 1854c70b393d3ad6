import type { ChildMessage } from '../launcher/index.ts';
import { escapeControls, type Log } from '../log/index.ts';

/** A part of the product that runs as a process of its own. */
export interface Part {
  start(): Promise<Omit<Extract<ChildMessage, { type: 'ready' }>, 'type'>>;
  stop(): Promise<void>;
}

/** EX_CONFIG of sysexits.h: the settings are wrong, and a supervisor need not try again until somebody mends them. */
export const exitSettings = 78;

/**
 * Runs a part until it is told to stop: SIGTERM and SIGINT drain it and end with 0, as does the launcher's
 * disappearance. SIGHUP ends nothing. Why it could not start goes to the launcher, or to the log where there is none.
 */
export async function runPart(part: Part, log: Log): Promise<void> {
  const starting = part.start();
  // Before it says that it is ready: whoever hears that may tell it to stop at once.
  stopWhenTold(() => starting.then(() => part.stop()), log);
  try {
    const ready = await starting;
    tell({ type: 'ready', ...ready });
    log.info('ready', { port: ready.port });
  } catch (error) {
    const { message, mend } = explain(error);
    log.error(message, { ...(mend && { mend }), ...(mend ? {} : { error }) });
    await tellAndFlush({ type: 'failed', message, ...(mend && { mend }) });
    // What is away or taken now, a database or a port, may be there when a supervisor tries again.
    process.exit(1);
  }
  process.on('unhandledRejection', (error) => {
    log.error('a bug: a rejection that nobody handled', { error });
  });
}

function stopWhenTold(drain: () => Promise<void>, log: Log): void {
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    drain().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error('could not stop cleanly', { error });
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('disconnect', stop);
  hearHangUp(log);
}

/** By default it would end the process at once; who sends it wants the configuration to be read again. */
export function hearHangUp(log: Log): void {
  process.on('SIGHUP', () => {
    log.info('SIGHUP: nothing to read again, a change of the configuration is in force once it is saved');
  });
}

function tell(message: ChildMessage): void {
  process.send?.(message);
}

function tellAndFlush(message: ChildMessage): Promise<void> {
  if (!process.send) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  process.send(message, () => resolve());
  return promise;
}

/** Lines for a terminal: what went wrong may quote names and answers that came from outside. */
export function trouble(begin: string, message: string, mend?: string): string {
  const lines = (text: string) => text.split('\n').map(escapeControls).join('\n');
  return `${begin}${lines(message)}\n${mend ? `To mend it: ${lines(mend)}\n` : ''}`;
}

/** @returns what happened and, where the cause is known, how to mend it */
export function explain(error: unknown): { message: string; mend?: string } {
  if (!(error instanceof Error)) return { message: String(error) };
  if ('mend' in error && typeof error.mend === 'string') return { message: error.message, mend: error.mend };
  return explainFile(error) ?? { message: error.message };
}

const checkName = 'check the name; what is not absolute is looked for in the folder that the command runs in';
const fileTroubles: Readonly<Record<string, { says: (path: string) => string; mend: string }>> = {
  ENOENT: { says: (path) => `There is no ${path}`, mend: checkName },
  ENOTDIR: { says: (path) => `${path} is not a folder`, mend: checkName },
  EISDIR: { says: () => 'What was named is a folder, and a file is needed', mend: checkName },
  EACCES: {
    says: (path) => `${path} may not be read or written`,
    mend: 'run the command as a user who may, or change the rights of the file and of the folders that it lies in',
  },
};

/** What the system says of a file that was named, in words; undefined for all else. */
function explainFile(error: Error): { message: string; mend: string } | undefined {
  const { code, path } = error as NodeJS.ErrnoException;
  const trouble = code === undefined ? undefined : fileTroubles[code];
  if (!trouble || (path === undefined && code !== 'EISDIR')) return undefined;
  return { message: trouble.says(path ?? ''), mend: trouble.mend };
}
