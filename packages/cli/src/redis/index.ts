export { createRedisControlLink, type RedisControlLink } from './control-link.ts';
export { createRedisGatewayLink, type RedisGatewayLink } from './gateway-link.ts';
export { listenToFleet } from './listen.ts';
