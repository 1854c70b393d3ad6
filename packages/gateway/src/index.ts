export { createGateway, type Gateway, type GatewayOptions } from './lifecycle/index.ts';
export type { Log } from './log.ts';
