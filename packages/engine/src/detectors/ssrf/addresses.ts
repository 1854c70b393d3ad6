import { urlDecode } from '../../decode/index.ts';
import { verbose } from '../../verbose.ts';

/** What a server must not be made to fetch, by where an address leads. */
export type InternalKind = 'loopback' | 'private' | 'link-local' | 'metadata' | 'cluster' | 'unspecified';

/**
 * Where a host leads, read as URL parsers of all kinds do: dotted, shortened (`127.1`), decimal (`2130706433`), octal,
 * hexadecimal and mixed IPv4, IPv6 with or without an IPv4 inside, names that resolve to such addresses.
 * @param host as it stands in the URL, brackets included
 * @returns undefined for anything public
 */
export function internalHost(host: string): InternalKind | undefined {
  if (host !== lastHost) {
    lastKind = judgeHost(host);
    lastHost = host;
  }
  return lastKind;
}

/** Lists of addresses name one host again and again. */
let lastHost = '';
let lastKind: InternalKind | undefined;

function judgeHost(host: string): InternalKind | undefined {
  const name = withoutLastDot(plainHost(host).toLowerCase());
  if (!endsInside(name)) return internalV4(ipv4Number(name));
  if (metadataNames.test(name)) return 'metadata';
  if (clusterName.test(name)) return 'cluster';
  if (/^(?:localhost|localhost\.localdomain|loopback|ip6-localhost|.{1,60}\.localhost)$/.test(name))
    return 'loopback';
  if (name.startsWith('[')) return internalV6(name.slice(1, -1));
  if (rebindingZone.test(name)) return rebinding(name);
  if (internalZone.test(name)) return 'private';
  if (
    /^(?:lvh\.me|localtest\.me|vcap\.me|lacolhost\.com|yoogle\.com|fbi\.com|spoofed\.burpcollaborator\.net|localho\.st|[\w.-]{1,60}\.(?:lvh|localtest|vcap)\.me)$/.test(
      name,
    )
  )
    return 'loopback';
  return internalV4(ipv4Number(name));
}

function withoutLastDot(name: string): string {
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

/** How all names and addresses end that the patterns below know; nearly every host ends otherwise. */
const ends = new Set(
  `metadata internal goog tencentyun.com packet.net platformequinix.com 200 192 2 rancher-metadata instance-data default
  svc local localhost localdomain loopback ip6-localhost me lacolhost.com yoogle.com fbi.com burpcollaborator.net st io ms
  us name co sh consul corp intranet lan arpa`.split(/\s+/),
);

function endsInside(name: string): boolean {
  if (name.startsWith('[')) return true;
  const last = name.lastIndexOf('.');
  const end = name.slice(last + 1);
  return ends.has(end === 'com' || end === 'net' ? name.slice(name.lastIndexOf('.', last - 1) + 1) : end);
}

const metadataNames = verbose()`
  ^(?:
    metadata(?:\.google\.internal|\.goog)?
    |instance-data(?:\.[\w-]{1,40}\.compute\.internal)?
    |metadata\.(?:tencentyun\.com|packet\.net|azure\.internal|platformequinix\.com)
    |100\.100\.100\.200
    |192\.0\.0\.192
    |169\.254\.170\.2
    |rancher-metadata
  )$
`;

/** The interface of the cluster that asks. */
const clusterName = /^kubernetes\.default(?:\.svc(?:\.cluster\.local)?)?$/;

/** Zones whose names resolve to the address that is written in them. */
const rebindingZone =
  /\.(?:nip\.io|xip\.io|sslip\.io|1u\.ms|rbndr\.us|traefik\.me|xip\.name|ip\.es\.io|local-ip\.(?:co|sh)|backname\.io)$/;

/** Zones that only exist inside of a network: containers, clusters, clouds, offices. */
const internalZone =
  /^(?:host|gateway|kubernetes)\.docker\.internal$|\.(?:internal|consul|svc|cluster\.local|corp|intranet|lan|localdomain|home\.arpa)$/;

/** The first internal address of such a name, dotted, dashed or as eight hexadecimal digits. */
function rebinding(name: string): InternalKind | undefined {
  for (const [, dotted, hex] of name.matchAll(
    /(?<!\d)(\d{1,3}(?:[.-]\d{1,3}){3})(?![\d])|(?<![\w])([0-9a-f]{8})(?=\.)/g,
  )) {
    const kind = internalV4(
      dotted === undefined ? Number.parseInt(hex ?? '', 16) : ipv4Number(dotted.replaceAll('-', '.')),
    );
    if (kind) return kind;
  }
  return undefined;
}

/** Escaped characters, and enclosed and full-width letters and digits, and ideographic full stops, as URL parsers fold them. UTS #46. */
function plainHost(host: string): string {
  if (!/[%\x80-\xff]/.test(host)) return host;
  return fromUtf8(host.includes('%') ? urlDecode(host) : host)
    .normalize('NFKC')
    .replace(/[\u3002\uff61]/g, '.');
}

/** Latin1 text that holds UTF-8 as the characters that it spells; as it is where it is no UTF-8. */
function fromUtf8(text: string): string {
  try {
    return decodeURIComponent(text.replace(/[%\x80-\xff]/g, (char) => `%${char.charCodeAt(0).toString(16)}`));
  } catch {
    return text;
  }
}

/** The 32-bit address that the text stands for in any notation; undefined when it is a name. */
export function ipv4Number(text: string): number | undefined {
  // The last piece of a name begins with a letter.
  const initial = text.charCodeAt(text.lastIndexOf('.') + 1);
  if (!(initial >= 48 && initial <= 57)) return undefined;
  const pieces = text.split('.');
  if (pieces.length > 4) return undefined;
  const numbers: number[] = [];
  for (const piece of pieces) {
    if (!/^(?:0x[0-9a-f]{0,8}|0o?[0-7]{0,14}|[1-9]\d{0,9})$/.test(piece)) return undefined;
    numbers.push(
      piece.startsWith('0x')
        ? Number.parseInt(piece.slice(2) || '0', 16)
        : Number.parseInt(piece.replace('o', ''), piece.startsWith('0') ? 8 : 10),
    );
  }
  const last = numbers.pop() ?? 0;
  if (numbers.some((number) => number > 255) || last >= 256 ** (4 - numbers.length)) return undefined;
  return numbers.reduce((sum, number, index) => sum + number * 256 ** (3 - index), last);
}

/** Whether an address is written as no browser reports one: shortened, decimal, octal or hexadecimal. WHATWG URL §3.5. */
export function isDisguised(host: string): boolean {
  const name = host.toLowerCase();
  return ipv4Number(name) !== undefined && !/^(?:(?:0|[1-9]\d{0,2})(?:\.(?!$)|$)){4}$/.test(name);
}

function internalV4(address: number | undefined): InternalKind | undefined {
  if (address === undefined) return undefined;
  const first = Math.floor(address / 2 ** 24);
  const second = Math.floor(address / 2 ** 16) & 255;
  if (address === 0xa9fea9fe || address === 0x64646464 + 0x64) return 'metadata';
  if (first === 127) return 'loopback';
  if (address === 0) return 'unspecified';
  if (first === 169 && second === 254) return 'link-local';
  if (first === 10 || (first === 172 && second >= 16 && second < 32) || (first === 192 && second === 168))
    return 'private';
  if (first === 100 && second >= 64 && second < 128) return 'private';
  return undefined;
}

function internalV6(address: string): InternalKind | undefined {
  const mapped = /(?:^|:)(\d{1,3}(?:\.\d{1,3}){3})$/.exec(address)?.[1];
  if (mapped !== undefined) return internalV4(ipv4Number(mapped));
  const hex = /^(?:0{0,4}:){0,6}:?(?:0{0,4}:)?ffff:(?:0:)?([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address);
  if (hex) return internalV4(Number.parseInt(hex[1] ?? '', 16) * 65_536 + Number.parseInt(hex[2] ?? '', 16));
  const translated = /^64:ff9b:(?:0{0,4}:){0,4}:?([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address);
  if (translated)
    return internalV4(
      Number.parseInt(translated[1] ?? '', 16) * 65_536 + Number.parseInt(translated[2] ?? '', 16),
    );
  if (/^(?:0{0,4}:){2,7}:?0{0,3}1$|^::1$/.test(address)) return 'loopback';
  if (/^[0:]+$/.test(address)) return 'unspecified';
  if (/^fd00:ec2:/.test(address)) return 'metadata';
  if (/^fe[89ab][0-9a-f]?:/.test(address)) return 'link-local';
  return /^f[cd][0-9a-f]{2}:/.test(address) ? 'private' : undefined;
}
