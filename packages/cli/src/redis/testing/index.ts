export { type PartProcess, startPart } from './part.ts';
export { type RedisServer, redisMissing, startRedis } from './redis-server.ts';
