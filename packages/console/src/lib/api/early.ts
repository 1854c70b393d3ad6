/** What came back, its body read. */
export interface Answer {
  response: Response;
  text: string;
}

declare global {
  /** calls that `public/before-bundle.js` made, by address */
  var earlyCalls: { token: string; answers: Map<string, Promise<Answer>> } | undefined;
}

/** Older ones are no news: milliseconds since the page was opened. */
const untilMs = 10_000;

/**
 * @returns the answer to a call that left before the bundle was there, once each; undefined where none did, where
 * it was for another session, and where it failed
 */
export async function earlyAnswer(url: string, token: string | null): Promise<Answer | undefined> {
  const early = globalThis.earlyCalls;
  const answer = early?.answers.get(url);
  if (!early || !answer) return undefined;
  early.answers.delete(url);
  if (early.token !== token || performance.now() > untilMs) return undefined;
  return answer.catch(() => undefined);
}
