/**
 * Writes a small database in MaxMind's format: an IPv6 tree of 24-bit records with IPv4 at its root's zeros.
 * @see https://maxmind.github.io/MaxMind-DB/
 */

/** A field of the data section: two bytes of control where the size does not fit into one. */
function sized(type: number, size: number): Buffer {
  const extended = type > 7 ? [type - 7] : [];
  const bits = type > 7 ? 0 : type << 5;
  if (size < 29) return Buffer.from([bits | size, ...extended]);
  return Buffer.from([bits | 29, ...extended, size - 29]);
}

function encode(value: unknown): Buffer {
  if (typeof value === 'string')
    return Buffer.concat([sized(2, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([sized(6, 4), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([sized(11, value.length), ...value.map(encode)]);
  const pairs = Object.entries(value as object);
  return Buffer.concat([
    sized(7, pairs.length),
    ...pairs.flatMap(([key, item]) => [encode(key), encode(item)]),
  ]);
}

type Node = [Slot, Slot];
type Slot = { node: number } | { data: number } | undefined;

const bitsOfIpv4 = (address: string) =>
  address
    .split('.')
    .map((part) => Number(part).toString(2).padStart(8, '0'))
    .join('');

/** @param networks IPv4 networks such as `192.0.2.0/24`, each with its record */
export function countryDatabase(networks: Readonly<Record<string, object>>): Buffer {
  const nodes: Node[] = [[undefined, undefined]];
  const records: Buffer[] = [];
  let dataBytes = 0;
  for (const [network, record] of Object.entries(networks)) {
    const [address = '', length = '32'] = network.split('/');
    const bits = '0'.repeat(96) + bitsOfIpv4(address).slice(0, Number(length));
    let at = 0;
    for (const bit of bits.slice(0, -1)) {
      const node = nodes[at] as Node;
      const side = bit === '1' ? 1 : 0;
      const next = node[side];
      if (next && 'node' in next) at = next.node;
      else {
        nodes.push([undefined, undefined]);
        at = nodes.length - 1;
        node[side] = { node: at };
      }
    }
    (nodes[at] as Node)[bits.at(-1) === '1' ? 1 : 0] = { data: dataBytes };
    const encoded = encode(record);
    records.push(encoded);
    dataBytes += encoded.length;
  }
  const numberOf = (slot: Slot) => {
    if (!slot) return nodes.length;
    return 'node' in slot ? slot.node : nodes.length + 16 + slot.data;
  };
  const tree = Buffer.alloc(nodes.length * 6);
  for (const [index, [left, right]] of nodes.entries()) {
    tree.writeUIntBE(numberOf(left), index * 6, 3);
    tree.writeUIntBE(numberOf(right), index * 6 + 3, 3);
  }
  const metadata = encode({
    node_count: nodes.length,
    record_size: 24,
    ip_version: 6,
    database_type: 'Test-Country',
    languages: ['en'],
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_790_000_000,
    description: { en: 'of a test' },
  });
  const mark = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from('MaxMind.com')]);
  return Buffer.concat([tree, Buffer.alloc(16), ...records, mark, metadata]);
}
