/** Finds what answers for a host: exact beats wildcard beats `*`; of two wildcards the longer one wins. */
export class RouteTable<T> {
  readonly #exact = new Map<string, T>();
  readonly #wildcards = new Map<string, T>();
  #any: T | undefined;

  /** The first to name a domain keeps it. @returns false where the domain was taken */
  add(domain: string, entry: T): boolean {
    if (domain === '*') {
      if (this.#any !== undefined) return false;
      this.#any = entry;
      return true;
    }
    const wildcard = domain.startsWith('*.');
    const map = wildcard ? this.#wildcards : this.#exact;
    const key = wildcard ? domain.slice(2) : domain;
    if (map.has(key)) return false;
    map.set(key, entry);
    return true;
  }

  /** @returns what was added under this very name. @param host lower case, without port */
  named(host: string): T | undefined {
    return this.#exact.get(host);
  }

  /** @returns what answers for a host that nobody named. @param host lower case, without port */
  covering(host: string): T | undefined {
    return this.#underWildcard(host) ?? this.#any;
  }

  #underWildcard(host: string): T | undefined {
    if (this.#wildcards.size === 0) return undefined;
    for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) {
      const entry = this.#wildcards.get(host.slice(dot + 1));
      if (entry !== undefined) return entry;
    }
    return undefined;
  }
}
