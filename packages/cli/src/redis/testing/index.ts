export { type RedisServer, redisMissing, startRedis } from './redis-server.ts';
