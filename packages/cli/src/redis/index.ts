export { createRedisControlLink, type RedisControlLink } from './control-link.ts';
export { createRedisGatewayLink, type RedisGatewayLink } from './gateway-link.ts';
export { type Heard, listenToFleet } from './listen.ts';
