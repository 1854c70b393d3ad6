export {
  type CertificateProblem,
  type CertificateStore,
  cipherSuites,
  compileCertificates,
} from './certificates.ts';
export { applyTlsState, createTlsServer, type TlsServerOptions, type TlsState } from './server.ts';
