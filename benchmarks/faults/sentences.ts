// What the console says of each fault, whole.

/** A sentence that counts the seconds is the same one a second later. */
export const timeless = (text: string) => text.replaceAll(/\d+/g, '…');

export const replicas = ['service-a', 'service-b'] as const;
export const services = replicas.map((name) => `${name}.service`);
export const gateways = ['edge-1', 'edge-2', 'edge-3'].map((name) => `${name}.gateway-1`);

const literal = (text: string) => text.replaceAll(/[.()]/g, '\\$&');
/** @param text a sentence in which `*` stands for a cause that servers and systems word, and `… s` for any duration */
const sentence = (text: string) =>
  new RegExp(`^${literal(text).replaceAll('*', '.+').replaceAll('… s', '… (s|min)')}$`);

export const onDuty = (who: string) => sentence(`${who} is on duty`);
export const stopped = (who: string) => sentence(`${who} is stopped`);
export const absent = (who: string) => [
  sentence(`${who} is absent`),
  sentence(`${who} absent: Not heard of for … s`),
];
/** Told for ten minutes. */
export const ended = (who: string) =>
  sentence(`${who} ended: Ended without a word … s ago and was started again`);

export const deaf = (who: string) =>
  sentence(
    `${who} problem: Redis is away: gateways and other services are not heard here, and what is shown of them is old`,
  );
export const takesNothing = (who: string) =>
  sentence(`${who} problem: The database takes nothing from this service: events wait until it does (*)`);
export const storageAway = (replica: string) =>
  sentence(`${replica} answers 503: Storage is not available right now. Nothing was changed`);
export const silent = (replica: string) => sentence(`${replica}: no answer`);

const alone = (who: string) =>
  sentence(`${who}: Rate limits are counted by this gateway alone: Redis is slow or away`);
const together = (who: string) =>
  sentence(`${who}: Rate limits are counted together with the other gateways again`);
export const countedAlone = (who: string) => [alone(who), together(who)];

/** What one says that comes back, until it has done what it could not do meanwhile. */
export const caughtUp = (who: string) => [
  sentence(`${who} behind: Serves by configuration … for … s; the newest is …`),
  sentence(`${who} spool: ….… MB of events wait on its disk, the oldest for … s`),
];

export const noRoom = (who: string) =>
  sentence(`${who}: Events that wait for the service cannot be kept on disk (*)`);
export const noRoomNow = (who: string) =>
  sentence(`${who} problem: Events that wait for the service cannot be kept on disk (*)`);

const clockOff = (who: string, way: string) => sentence(`${who} clock: Its clock is … s ${way}`);
export const ahead = (who: string) => clockOff(who, 'ahead');
export const behind = (who: string) => clockOff(who, 'behind');

/** True whatever the fault: one of the two is on duty, and Redis is slow at times where two cores bear all of it. */
const always = [...services.map(onDuty), ...gateways.flatMap(countedAlone)];

/**
 * What was said against what was to be.
 * @param said sentences with … for a number
 * @param tells each must be among them
 * @param mayTell others that are true
 */
export function judge(
  said: readonly string[],
  tells: readonly RegExp[],
  mayTell: readonly RegExp[],
): { readonly unsaid: readonly string[]; readonly untrue: readonly string[] } {
  const isTrue = [...tells, ...mayTell, ...always];
  return {
    unsaid: tells.filter((tell) => !said.some((one) => tell.test(one))).map(String),
    untrue: said.filter((one) => !isTrue.some((tell) => tell.test(one))),
  };
}
