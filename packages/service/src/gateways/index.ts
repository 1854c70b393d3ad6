export { GatewayRegistry } from './registry.ts';
