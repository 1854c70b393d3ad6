import { Agent } from 'node:https';
import type { IssueStep } from '@portcullis/contract/certificates';
import acme from 'acme-client';
import { factsOf, readChain } from './read-chain.ts';
import { maxAheadMs } from './schedule.ts';

/** The authority that certificates come from. */
export interface AcmeAuthority {
  /** of its directory: RFC 8555 §7.1.1 */
  readonly directoryUrl: string;
  /** told of expiry, where the authority does that */
  readonly email?: string | undefined;
  /** PEM of the root that its own API is certified by; absent: the public ones */
  readonly ca?: string | undefined;
  /** ties the account to one that the authority knows already, where it asks for that: RFC 8555 §7.3.4 */
  readonly binding?: AcmeBinding | undefined;
}

/** As the authority hands it out. */
export interface AcmeBinding {
  readonly keyId: string;
  /** base64url */
  readonly hmacKey: string;
}

export interface AcmeOrder {
  readonly authority: AcmeAuthority;
  /** PEM, kept between orders */
  readonly accountKey: string;
  readonly domains: readonly string[];
  readonly now: () => number;
  /** resolves once every gateway answers so, or with the words on those that do not */
  readonly publish: (token: string, keyAuthorization: string) => Promise<string | undefined>;
  /** told of each step as it ends, so that who waits can watch */
  readonly onStep?: (steps: readonly IssueStep[]) => void;
}

export type Issued =
  | {
      readonly ok: true;
      readonly steps: IssueStep[];
      readonly chain: string;
      readonly privateKey: string;
    }
  /** `waitMs`: the authority asks not to be asked again before */
  | { readonly ok: false; readonly steps: IssueStep[]; readonly waitMs?: number };

/** How long the authority may take to validate and to sign. */
const patience = { backoffAttempts: 12, backoffMin: 500, backoffMax: 10_000 };

/**
 * Asks for a certificate by HTTP-01. Never throws: the last step says what failed, in the authority's own words
 * where it gave some.
 * @see RFC 8555 §7.4 and §8.3
 */
export async function orderCertificate(order: AcmeOrder): Promise<Issued> {
  const steps: IssueStep[] = [];
  const add = (step: IssueStep) => {
    steps.push(step);
    order.onStep?.([...steps]);
  };
  const run: Run = async (step, does, work, noteOf) => {
    const time = new Date(order.now()).toISOString();
    try {
      const value = await work();
      const note = noteOf?.(value);
      add({ step, status: 'done', detail: (note ? `${does}. ${note}` : does).slice(0, 2048), time });
      return value;
    } catch (error) {
      const reason = `${error instanceof Error ? error.message : String(error)}${clockHint(error, order.now())}`;
      add({ step, status: 'failed', detail: `${does}: ${reason}`.slice(0, 2048), time });
      throw error;
    }
  };
  try {
    const issued = await issue(order, run);
    const detail = clockDoubt(issued.chain, order.now());
    if (detail !== undefined)
      add({ step: 'download', status: 'done', detail, time: new Date(order.now()).toISOString() });
    return { ok: true, steps, ...issued };
  } catch (error) {
    if (steps.at(-1)?.status !== 'failed') throw error;
    return error instanceof Postponed ? { ok: false, steps, waitMs: error.waitMs } : { ok: false, steps };
  }
}

const minute = (time: number | Date) => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const datedCodes: ReadonlySet<unknown> = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);

/** An authority seldom lets its own certificate run out. */
function clockHint(error: unknown, now: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return datedCodes.has(code) ? `; the clock of this machine says ${minute(now)}` : '';
}

/** @returns what to tell of a new certificate that does not hold by this machine's clock */
function clockDoubt(chain: string, now: number): string | undefined {
  const [leaf] = readChain(chain);
  if (leaf === undefined) return undefined;
  const { notBefore, notAfter } = factsOf(leaf);
  if (notBefore.getTime() <= now + maxAheadMs && notAfter.getTime() > now) return undefined;
  return (
    `The new certificate holds from ${minute(notBefore)} to ${minute(notAfter)}, and the clock of this machine ` +
    `says ${minute(now)}: one of the two clocks is wrong`
  );
}

/** @param noteOf what is to be added to the step's words */
type Run = <T>(
  step: IssueStep['step'],
  does: string,
  work: () => Promise<T>,
  noteOf?: (value: T) => string | undefined,
) => Promise<T>;

async function issue(order: AcmeOrder, run: Run): Promise<{ chain: string; privateKey: string }> {
  const { authority, accountKey, domains, publish } = order;
  prepareHttp(authority.ca);
  const { directoryUrl, binding } = authority;
  const client = new acme.Client({
    ...{ directoryUrl, accountKey, ...patience },
    ...(binding && { externalAccountBinding: { kid: binding.keyId, hmacKey: binding.hmacKey } }),
  });
  await run('account', `Sign in at ${new URL(authority.directoryUrl).host}`, () => signIn(client, authority));
  const opened = await run('order', `Order a certificate for ${domains.join(', ')}`, () =>
    client.createOrder({ identifiers: domains.map((value) => ({ type: 'dns', value })) }),
  );
  const authorizations = await run('authorization', 'Read what is to be proven', () =>
    client.getAuthorizations(opened),
  );
  for (const authorization of authorizations) {
    if (authorization.status !== 'valid') await prove(client, authorization, run, publish);
  }
  const [privateKey, csr] = await acme.crypto.createCsr(
    { altNames: [...domains] },
    await acme.crypto.createPrivateEcdsaKey(),
  );
  const finalized = await run('finalize', 'Send the key to be certified', () =>
    client.finalizeOrder(opened, csr),
  );
  const chain = await run('download', 'Fetch the certificate', () => client.getCertificate(finalized));
  return { chain, privateKey: privateKey.toString() };
}

/**
 * Finds the account of the key, or makes it. In that order, for the library answers an account that exists with an
 * update, which without a contact is empty and which an authority may refuse: so each renewal would fail.
 * @see RFC 8555 §7.3.1
 */
async function signIn(client: acme.Client, { email }: AcmeAuthority): Promise<void> {
  try {
    await client.createAccount({ onlyReturnExisting: true });
  } catch (error) {
    if (error instanceof Postponed) throw error;
    await client.createAccount({
      termsOfServiceAgreed: true,
      ...(email !== undefined && { contact: [`mailto:${email}`] }),
    });
  }
}

/**
 * The library's own retries hide why an authority cannot be reached behind an error of theirs, and wait half a
 * minute first. Our back-off is the longer breath, and what the network said is what an operator needs.
 */
function prepareHttp(ca: string | undefined): void {
  const { defaults, interceptors } = acme.axios;
  interceptors.request.clear();
  interceptors.response.clear();
  interceptors.response.use((response) => {
    const waitMs = waitOf(response.status, String(response.headers['retry-after'] ?? ''));
    if (waitMs === undefined) return response;
    const { detail } = { detail: undefined, ...Object(response.data) } as { detail: unknown };
    throw new Postponed(typeof detail === 'string' ? detail : `it answers ${response.status}`, waitMs);
  });
  defaults.httpsAgent = ca === undefined ? undefined : new Agent({ ca });
  defaults.timeout = 15_000;
}

/** The authority has no time for us now: too many requests (RFC 8555 §6.6), or it is being worked on. */
class Postponed extends Error {
  readonly waitMs: number;

  constructor(said: string, waitMs: number) {
    super(`${said} (it asks to wait ${Math.ceil(waitMs / 60_000)} min)`);
    this.waitMs = waitMs;
  }
}

/** @param retryAfter seconds or a date: RFC 9110 §10.2.3 */
function waitOf(status: number, retryAfter: string): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return ms > 0 ? ms : undefined;
}

async function prove(
  client: acme.Client,
  authorization: acme.Authorization,
  run: Run,
  publish: AcmeOrder['publish'],
): Promise<void> {
  const domain = authorization.identifier.value;
  const answer = async () => {
    const challenge = authorization.challenges.find(({ type }) => type === 'http-01');
    if (!challenge) throw new Error('the authority offers no HTTP challenge, such as for a wildcard');
    const note = await publish(challenge.token, await client.getChallengeKeyAuthorization(challenge));
    return { challenge, note };
  };
  const told = `Answer for ${domain} on port 80`;
  const { challenge } = await run('challenge', told, answer, ({ note }) => note);
  await run('validation', `Let the authority look at ${domain}`, async () => {
    await client.completeChallenge(challenge);
    try {
      await client.waitForValidStatus(challenge);
    } catch (error) {
      throw new Error((await refusalOf(client, authorization)) ?? String(error));
    }
  });
}

/** @returns the authority's own words on why it did not believe us */
async function refusalOf(client: acme.Client, { url }: acme.Authorization): Promise<string | undefined> {
  const [again] = await client.getAuthorizations({ authorizations: [url] } as acme.Order).catch(() => []);
  const problem = again?.challenges.find(({ error }) => error !== undefined)?.error as
    | { detail?: string }
    | undefined;
  return problem?.detail;
}
