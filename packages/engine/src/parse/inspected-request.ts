/**
 * A request as the engine reads it. All text is latin1: one character is one byte as it came off the wire, so
 * that no decoder stands between the attacker's bytes and the rules.
 */
export interface InspectedRequest {
  /** as sent, for example `GET` */
  readonly method: string;
  /** the request-target in origin form, undecoded: `/a%20b?c=d` */
  readonly target: string;
  /** `1.1`, `2` */
  readonly httpVersion: string;
  readonly scheme: 'http' | 'https';
  /** in order of arrival, repeats kept, names as sent (lower case over HTTP/2) */
  readonly headers: readonly HeaderField[];
  /** the inspection prefix of the body, as bytes or already as latin1 text; absent when the request has none */
  readonly body?: Uint8Array | string;
  /** true when the body is longer than the prefix that stands in `body` */
  readonly bodyTruncated?: boolean;
  /** true where the Host header is, letter for letter, a name that the operator gave: no client's words to look into */
  readonly ownHost?: boolean;
  /** textual address of the client, as the gateway's trusted-proxy rule resolved it */
  readonly clientIp: string;
}

export type HeaderField = readonly [name: string, value: string];
