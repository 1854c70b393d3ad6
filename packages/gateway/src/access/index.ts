export { AddressSet, type OwnedNetwork } from './address-set.ts';
export { BanBook, type BanPolicy, type BanTerm } from './bans.ts';
export { clientKey, isLoopback } from './client-key.ts';
export { HiddenProxies } from './hidden-proxies.ts';
export { type AccessLists, addressSetOf, compileAccessLists, type ListVerdict } from './lists.ts';
export { plainAddress, socketAddress } from './plain-address.ts';
export { forwardedScheme, type ResolvedClient, resolveClient } from './trusted-proxies.ts';
