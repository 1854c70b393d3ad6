import { type ReadableCoding, readableCodings } from './content-coding.ts';

/**
 * Media types that hold text for a person or a program and are sent as a whole, and what ranges of anything come in, for
 * it is the client who asks for those.
 */
const wholeTexts =
  /^(?:multipart\/byteranges|text\/(?!event-stream|css|vcard|calendar)|application\/(?:(?:problem\+|ld\+|hal\+|vnd\.[\w.-]{1,80}\+)?json|(?:xhtml\+|problem\+|soap\+)?xml|javascript|octet-stream|x-(?:httpd-php|sh|pem-file|pkcs12|yaml|sql))(?:;|$))/i;

/**
 * Which answers are looked into.
 * @param head the upstream's answer: its status and raw headers, names and values in turn
 * @returns the body's coding; undefined for what has no body, is no text, is a stream without end (event streams,
 * NDJSON, gRPC) or comes in a coding that cannot be read
 */
export function inspectedCoding(
  method: string,
  status: number,
  head: readonly (Buffer | string)[],
): ReadableCoding | undefined {
  if (method === 'HEAD' || status === 204 || status === 304 || status < 200) return undefined;
  let type = '';
  let coding = 'identity';
  for (let i = 0; i + 1 < head.length; i += 2) {
    const name = String(head[i]).toLowerCase();
    if (name === 'content-type') type = String(head[i + 1]).trim();
    else if (name === 'content-encoding')
      coding = String(head[i + 1])
        .trim()
        .toLowerCase();
  }
  if (type !== '' && !wholeTexts.test(type)) return undefined;
  // RFC 9110 §8.4.1.3: another name for the same.
  if (coding === 'x-gzip') return 'gzip';
  return readableCodings.find((known) => known === coding);
}
