import type { Duplex } from 'node:stream';
import type { AddressWords } from '@portcullis/contract/access';
import type { Exchange } from '../exchange/index.ts';
import type { Page } from '../pages/index.ts';
import type { Finding } from '../report/index.ts';
import type { Configuration, ServedSite } from '../sites/index.ts';

/** A connection that its client wants to switch to another protocol. */
export interface Upgrade {
  readonly socket: Duplex;
  /** bytes that came behind the request */
  readonly head: Buffer;
}

/** A request whose site and client are known, on its way through the order of decision. */
export interface Stage {
  readonly exchange: Exchange;
  readonly site: ServedSite;
  readonly configuration: Configuration;
  readonly client: AddressWords;
  readonly upgrade: Upgrade | undefined;
}

/** A page of ours instead of the upstream's answer. */
export interface Refusal {
  readonly kind: 'refused';
  readonly page: Page;
  /** absent where nothing is to be recorded */
  readonly finding?: Finding;
  readonly headers?: readonly string[];
}
