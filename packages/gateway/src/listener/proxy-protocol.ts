import { isIPv4, isIPv6 } from 'node:net';
import { plainAddress } from '../access/index.ts';

/** Where a connection really comes from, as the load balancer in front says. */
export interface ProxiedSource {
  readonly address: string;
  readonly port: number;
}

export type ProxyHeader =
  | { readonly status: 'incomplete' }
  | { readonly status: 'invalid'; readonly reason: string }
  /** `source` is absent where the balancer speaks for itself: a health check, or a family that is no IP */
  | { readonly status: 'complete'; readonly bytes: number; readonly source?: ProxiedSource };

const signature2 = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
const signature1 = Buffer.from('PROXY ', 'latin1');
/** §2.1: the longest line of version 1 with its CRLF */
const maxLine1 = 107;
/** Version 2 may carry TLVs; what is longer is refused rather than held. */
const maxBytes2 = 16 + 4096;

const incomplete: ProxyHeader = { status: 'incomplete' };
const invalid = (reason: string): ProxyHeader => ({ status: 'invalid', reason });

/**
 * Reads a PROXY protocol header, version 1 or 2, from the first bytes of a connection.
 * @see https://www.haproxy.org/download/3.2/doc/proxy-protocol.txt
 */
export function parseProxyHeader(bytes: Buffer): ProxyHeader {
  if (startsWith(bytes, signature2)) return bytes.length < 16 ? incomplete : parseBinary(bytes);
  if (startsWith(bytes, signature1)) return bytes.length < signature1.length ? incomplete : parseLine(bytes);
  return invalid('the connection does not begin with a PROXY header');
}

/** True while what is there agrees with the signature, also when it is still short. */
function startsWith(bytes: Buffer, signature: Buffer): boolean {
  const length = Math.min(bytes.length, signature.length);
  return bytes.subarray(0, length).equals(signature.subarray(0, length));
}

function parseLine(bytes: Buffer): ProxyHeader {
  const head = bytes.subarray(0, maxLine1).toString('latin1');
  const end = head.indexOf('\r\n');
  if (end === -1) return bytes.length < maxLine1 ? incomplete : invalid('the PROXY line does not end');
  const complete = { status: 'complete', bytes: end + 2 } as const;
  const [, protocol, source = '', destination = '', port = '', ownPort = '', ...rest] = head
    .slice(0, end)
    .split(' ');
  if (protocol === 'UNKNOWN') return complete;
  const isAddress = protocol === 'TCP4' ? isIPv4 : protocol === 'TCP6' ? isGlobalForm : undefined;
  if (isAddress === undefined) return invalid('the PROXY line names an unknown protocol');
  const whole = rest.length === 0 && isAddress(source) && isAddress(destination);
  if (!whole || !isPort(port) || !isPort(ownPort)) return invalid('the PROXY line is malformed');
  return { ...complete, source: { address: plainAddress(source), port: Number(port) } };
}

/** A zone (`fe80::1%eth0`) says something on the balancer's machine alone, and no list of addresses knows it. */
const isGlobalForm = (text: string) => isIPv6(text) && !text.includes('%');

const isPort = (text: string) => /^(?:0|[1-9]\d{0,4})$/.test(text) && Number(text) <= 65_535;

function parseBinary(bytes: Buffer): ProxyHeader {
  const command = bytes.readUInt8(12);
  const family = bytes.readUInt8(13);
  const length = 16 + bytes.readUInt16BE(14);
  if (command !== 0x20 && command !== 0x21)
    return invalid('the PROXY header has an unknown version or command');
  if (length > maxBytes2) return invalid('the PROXY header is too long');
  if (bytes.length < length) return incomplete;
  const complete = { status: 'complete', bytes: length } as const;
  // LOCAL: the balancer's own connection, whose address block is to be ignored (§2.2).
  if (command === 0x20) return complete;
  if (family === 0x11) {
    if (length < 28) return invalid('the PROXY header is too short for its family');
    const address = [...bytes.subarray(16, 20)].join('.');
    return { ...complete, source: { address, port: bytes.readUInt16BE(24) } };
  }
  if (family === 0x21) {
    if (length < 52) return invalid('the PROXY header is too short for its family');
    const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(16 + index * 2).toString(16));
    return { ...complete, source: { address: plainAddress(groups.join(':')), port: bytes.readUInt16BE(48) } };
  }
  return complete;
}
