export {
  ensureGatewaySecrets,
  readGatewaySecrets,
  rotateAfterMs,
  rotation,
  rotationIsDue,
} from './gateway-secrets.ts';
