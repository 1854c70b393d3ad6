export type { AcmeAuthority } from './acme-order.ts';
export { createIssuer, type Issuer, type IssuerParts } from './issuer.ts';
export { presentCertificate, servedCertificate } from './present.ts';
export { certificateRoutes } from './routes.ts';
export {
  certificateStore,
  challengeStore,
  type OpenChallenge,
  opensKey,
  type StoredCertificate,
} from './stored.ts';
export type { UnderWay } from './under-way.ts';
export { type CertificateWarning, CertificateWatch } from './warnings.ts';
