export { type Cable, startCable } from './cable.ts';
export { type PartProcess, runCommand, startPart } from './part.ts';
export { batchOf, rememberingPlane, secret } from './plane.ts';
export {
  type RedisServer,
  redisMissing,
  startRedis,
  startTlsRedis,
  type TlsRedisServer,
} from './redis-server.ts';
