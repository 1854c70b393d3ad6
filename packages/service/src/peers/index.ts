export { createPeerExchange, type PeerExchange } from './peers.ts';
