export {
  type CertificateProblem,
  type CertificateStore,
  cipherSuites,
  compileCertificates,
} from './certificates.ts';
export { createTlsServer, type TlsServerOptions } from './server.ts';
