export {
  type CertificateProblem,
  type CertificateStore,
  compileCertificates,
} from './certificates.ts';
export { applyTlsState, createTlsServer, type TlsServerOptions, type TlsState } from './server.ts';
