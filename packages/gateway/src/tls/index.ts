export {
  type CertificateProblem,
  type CertificateStore,
  compileCertificates,
} from './certificates.ts';
export {
  applyTlsLimits,
  applyTlsState,
  createTlsServer,
  type TlsLimits,
  type TlsServerOptions,
  type TlsState,
} from './server.ts';
