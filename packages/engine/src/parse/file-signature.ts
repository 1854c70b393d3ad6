import { verbose } from '../verbose.ts';

/** First bytes of formats that are files and nothing else. Serialised objects are not among them: those are attacks. */
const signatures = verbose()`
  ^(?:
    \x7fELF|MZ[\s\S]{6,}|PK(?:\x03\x04|\x05\x06|\x07\x08)|\x1f\x8b\x08|BZh[1-9]1AY|\xfd7zXZ|\x28\xb5\x2f\xfd
    |7z\xbc\xaf|Rar!\x1a|\xca\xfe\xba\xbe|[\xce\xcf]\xfa\xed\xfe|\xfe\xed\xfa[\xce\xcf]
    |[\s\S]{2}\r\n[\0-\x03]\0\0\0|\xde\x12\x04\x95|\x95\x04\x12\xde|\x89PNG\r\n|\xff\xd8\xff|GIF8[79]a
    |RIFF[\s\S]{4}|OggS\0|fLaC|ID3[\x02-\x04]|MThd\0|[\s\S]{4}ftyp|\x1aE\xdf\xa3|FLV\x01|\0asm|wOF[F2]|OTTO\0
    |true\0|ttcf\0|\0\x01\0\0\0[\x01-\x40]|\0\0[\x01\x02]\0|BM[\s\S]{4}\0\0\0\0|II\*\0|MM\0\*|8BPS|%PDF-1
    |SQLite format 3\0|TZif|MDMP|\xd0\xcf\x11\xe0|!<arch>\n|\xed\xab\xee\xdb|MSCF\0|dex\n0|\x1bLua
    |L\0\0\0\x01\x14\x02\0
  )
`;

/** Types that an application takes apart; their bodies are read, whatever their first bytes are. */
const parsedTypes = /form|json|xml|text\/|javascript|graphql|yaml|html/i;
/** Types that say no more than: these are bytes. */
const byteTypes = /octet-stream|^(?:image|audio|video|font)\/|x-binary|^application\/(?:zip|gzip|pdf|x-tar)/i;

/** Whether a body is said to be of no type, or of what is none: RFC 9110 §8.3.1. */
export function isUntyped(contentType: string): boolean {
  return !/^\s*[^\s/;,]+\/[^\s/;,]/.test(contentType);
}

/** A piece from the middle of a file is long; a message of a binary protocol is mostly short. */
const shortestPiece = 4096;

/**
 * Whether a body is a file that is stored as it comes: it starts like one, or is declared as bytes and is what
 * programs are in the middle (uploads in pieces).
 * @param body latin1
 */
export function isFileBody(body: string, contentType: string): boolean {
  if (parsedTypes.test(contentType) && !/openxmlformats|svg/i.test(contentType)) return false;
  if (signatures.test(body.slice(0, 64)) || body.startsWith('ustar', 257)) return true;
  return body.length >= shortestPiece && byteTypes.test(contentType) && isBinary(body);
}

/** Of a program every twentieth byte is a zero, of noise and of text none; text in UTF-16 has its zeros on one side. */
function isBinary(body: string): boolean {
  let even = 0;
  let odd = 0;
  for (let at = body.indexOf('\0'); at >= 0; at = body.indexOf('\0', at + 1)) {
    if ((at & 1) === 0) even += 1;
    else odd += 1;
  }
  return (even + odd) * 20 > body.length && Math.max(even, odd) * 2.2 < body.length;
}
