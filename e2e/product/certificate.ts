import { once } from 'node:events';
import { type ConnectionOptions, connect, type PeerCertificate } from 'node:tls';
import type { AcmeServer } from '../../packages/service/src/testing/index.ts';

/** What has the product order its certificates of an authority of the test's own, and makes its administrator. */
export function environmentOf(
  { authority }: AcmeServer,
  httpsPort: number,
  admin: { readonly email: string; readonly password: string },
): Record<string, string> {
  return {
    PORTCULLIS_HTTPS_PORT: String(httpsPort),
    PORTCULLIS_ACME_DIRECTORY: authority.directoryUrl,
    PORTCULLIS_ACME_CA: authority.ca ?? '',
    PORTCULLIS_ADMIN_EMAIL: admin.email,
    PORTCULLIS_ADMIN_PASSWORD: admin.password,
  };
}

/** Shakes hands anew. @returns the certificate that is served; undefined where none is */
export async function servedCertificate(options: ConnectionOptions): Promise<PeerCertificate | undefined> {
  const socket = connect(options);
  const met = await Promise.race([
    once(socket, 'secureConnect').then(() => true),
    once(socket, 'close').then(() => false),
  ]).catch(() => false);
  const certificate = met ? socket.getPeerCertificate() : undefined;
  socket.destroy();
  return certificate;
}
