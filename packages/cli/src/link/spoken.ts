import { type LinkSpoken, ownLink } from '@portcullis/contract/link';

/** In what a gateway's requests say which link it speaks: `version compatible-from`. */
export const linkHeader = 'portcullis-link';

export const ownSpoken = `${ownLink.linkVersion} ${ownLink.linkCompatibleFrom}`;

/** @param header absent where the first version of the link is spoken, which did not say so */
export function readSpoken(header: string | string[] | undefined): LinkSpoken {
  const [, version = 1, from = 1] = /^(\d{1,9}) (\d{1,9})$/.exec(String(header)) ?? [];
  return { linkVersion: Number(version), linkCompatibleFrom: Number(from) };
}
