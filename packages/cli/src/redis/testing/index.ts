export { startCable } from './cable.ts';
export { type PartProcess, runCommand, startPart } from './part.ts';
export {
  type RedisServer,
  redisMissing,
  startRedis,
  startTlsRedis,
  type TlsRedisServer,
} from './redis-server.ts';
