import type { AddressWords } from '@portcullis/contract/access';
import { AddressSet, maxOwners, type OwnedNetwork } from './address-set.ts';

/** An owned network that counts until a moment, Unix milliseconds. */
export interface TimedNetwork extends OwnedNetwork {
  readonly until: number;
}

interface Layer {
  readonly set: AddressSet;
  readonly networks: readonly TimedNetwork[];
}

/**
 * Networks that end by themselves: whoever asks brings the time, so that nothing has to happen when one ends. A network
 * within another one that ends later is asked for after it, in a layer of its own; nearly always there is one layer.
 */
export class TimedSet {
  readonly #layers: Layer[] = [];

  constructor(networks: readonly TimedNetwork[]) {
    // The widest first, and of the same the one that lasts, so that what a set leaves out lies within what it took.
    let left = networks.toSorted((a, b) => a.network.prefix - b.network.prefix || b.until - a.until);
    while (left.length > 0) {
      const taken = left.slice(0, maxOwners);
      const set = new AddressSet(taken.map(({ network }, owner) => ({ network, owner })));
      const layer = { set, networks: taken };
      this.#layers.push(layer);
      left = left.filter(({ network, until }) => until > (networkIn(layer, network.words)?.until ?? 0));
    }
  }

  /** ranges kept, ended or not */
  get size(): number {
    return this.#layers.reduce((sum, { set }) => sum + set.size, 0);
  }

  /**
   * @param now Unix milliseconds
   * @returns the owner of a network that holds the address and has not ended, or -1
   */
  find(words: AddressWords, now: number): number {
    for (const layer of this.#layers) {
      const found = networkIn(layer, words);
      if (found !== undefined && found.until > now) return found.owner;
    }
    return -1;
  }
}

function networkIn({ set, networks }: Layer, words: AddressWords): TimedNetwork | undefined {
  const index = set.find(words);
  return index === -1 ? undefined : networks[index];
}
