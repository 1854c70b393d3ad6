import { expand, isConstant, parseTemplate } from '../macros/index.ts';
import { type Build, type Built, built, refused, whole } from './operator.ts';

/** A network: the address as one big integer, and how many of its leading bits count. */
interface Network {
  readonly bits: 32 | 128;
  readonly address: bigint;
  readonly prefix: number;
}

/** `@ipMatch`: the address lies in one of the listed networks (`10.0.0.0/8,::1`). */
export const ipMatch: Build = (argument) => {
  const template = parseTemplate(argument);
  if (isConstant(template)) return matching(argument.split(','));
  return built((text, macros) =>
    isInside(text, readNetworks(expand(template, macros).split(',')).networks) ? whole(text) : undefined,
  );
};

/** `@ipMatchFromFile`: one network a line; `#` begins a comment. */
export const ipMatchFromFile: Build = (argument, files) => {
  const text = files.read(argument);
  if (text === undefined) return refused(`the file ${argument} is missing`);
  return matching(text.split(/\r?\n/).map((line) => line.replace(/#.*/, '')));
};

function matching(entries: readonly string[]): Built {
  const { networks, broken } = readNetworks(entries);
  if (broken !== undefined) return refused(`"${broken}" is no address or network`);
  return built((text) => (isInside(text, networks) ? whole(text) : undefined));
}

function readNetworks(entries: readonly string[]): { networks: Network[]; broken: string | undefined } {
  const networks: Network[] = [];
  let broken: string | undefined;
  for (const entry of entries.map((one) => one.trim()).filter((one) => one !== '')) {
    const [text = '', suffix] = entry.split('/');
    const address = readAddress(text);
    const prefix = suffix === undefined ? address?.bits : Number(suffix);
    if (!address || prefix === undefined || !(prefix >= 0 && prefix <= address.bits)) broken ??= entry;
    else networks.push({ ...address, prefix });
  }
  return { networks, broken };
}

function isInside(text: string, networks: readonly Network[]): boolean {
  const address = readAddress(text.trim());
  if (!address) return false;
  return networks.some(({ bits, address: base, prefix }) => {
    const shift = BigInt(bits - prefix);
    return bits === address.bits && address.address >> shift === base >> shift;
  });
}

function readAddress(text: string): { bits: 32 | 128; address: bigint } | undefined {
  const four = readFour(text);
  if (four !== undefined) return { bits: 32, address: four };
  if (!/^[0-9a-fA-F:.]+$/.test(text) || !text.includes(':')) return undefined;
  // A dotted tail (`::ffff:10.0.0.1`) is two groups.
  const tail = /[0-9.]+$/.exec(text)?.[0] ?? '';
  const dotted = tail.includes('.') ? readFour(tail) : undefined;
  if (tail.includes('.') && dotted === undefined) return undefined;
  const plain =
    dotted === undefined
      ? text
      : `${text.slice(0, -tail.length)}${(dotted >> 16n).toString(16)}:${(dotted & 0xffffn).toString(16)}`;
  const halves = plain.split('::');
  if (halves.length > 2) return undefined;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  const given = groups.flat();
  if (given.some((group) => !/^[0-9a-fA-F]{1,4}$/.test(group))) return undefined;
  if (halves.length === 1 ? given.length !== 8 : given.length > 7) return undefined;
  const zeros = Array.from({ length: 8 - given.length }, () => '0');
  const full = [...(groups[0] ?? []), ...zeros, ...(groups[1] ?? [])];
  return { bits: 128, address: full.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n) };
}

function readFour(text: string): bigint | undefined {
  const bytes = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1).map(Number);
  if (!bytes || bytes.some((byte) => byte > 255)) return undefined;
  return bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}
