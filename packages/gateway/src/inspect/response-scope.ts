import { type ReadableCoding, readableCodings } from './content-coding.ts';

/**
 * Media types that hold text for a person or a program and are sent as a whole, and what ranges of anything come in, for
 * it is the client who asks for those.
 */
const wholeTexts =
  /^(?:multipart\/byteranges|text\/(?!event-stream|css|vcard|calendar)|application\/(?:(?:problem\+|ld\+|hal\+|vnd\.[\w.-]{1,80}\+)?json|(?:xhtml\+|problem\+|soap\+)?xml|javascript|octet-stream|x-(?:httpd-php|sh|pem-file|pkcs12|yaml|sql))(?:;|$))/i;

/** What some servers put where no coding is: clients take the body as it is. */
const noCoding =
  /^(?:|identity|none|binary|[78]bit|base64|quoted-printable|plain|text|text\/[a-z]{1,20}|amz-1\.0|(?:aws-)?chunked|utf-?8|us-ascii|iso-8859-\d{1,2}|windows-125\d)$/;

/**
 * Which answers are looked into.
 * @param head the upstream's answer: its status and raw headers, names and values in turn
 * @returns the body's coding, `unread` where that is none that can be read or several in turn, `middle` where it is cut
 * out of the middle of a coded body; undefined for what has no body, is no text, or is a stream without end (event
 * streams, NDJSON, gRPC)
 */
export function inspectedCoding(
  method: string,
  status: number,
  head: readonly (Buffer | string)[],
): ReadableCoding | 'unread' | 'middle' | undefined {
  if (method === 'HEAD' || status === 204 || status === 304 || status < 200) return undefined;
  let type = '';
  let range = '';
  const codings: string[] = [];
  for (let i = 0; i + 1 < head.length; i += 2) {
    const name = String(head[i]).toLowerCase();
    if (name === 'content-type') type = String(head[i + 1]).trim();
    else if (name === 'content-range') range = String(head[i + 1]).trim();
    else if (name === 'content-encoding') codings.push(...String(head[i + 1]).split(','));
  }
  if (type !== '' && !wholeTexts.test(type)) return undefined;
  const applied = codings
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => !noCoding.test(coding));
  // Nothing can be decoded but from its beginning.
  if (status === 206 && applied.length > 0 && !/^bytes 0-/i.test(range)) return 'middle';
  const [coding = 'identity', ...others] = applied;
  if (others.length > 0) return 'unread';
  // RFC 9110 §8.4.1.3: another name for the same.
  if (coding === 'x-gzip') return 'gzip';
  return readableCodings.find((known) => known === coding) ?? 'unread';
}
