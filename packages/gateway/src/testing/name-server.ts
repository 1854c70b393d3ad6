import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns';
import { once } from 'node:events';
import type { LookupFunction } from 'node:net';

/** What a name server says of a name and a type: records, no such name, that it is broken, or nothing at all. */
export type Zone = Readonly<Record<string, readonly string[] | 'broken' | 'silent'>>;

const types: Record<number, string> = { 1: 'A', 12: 'PTR', 28: 'AAAA' };
const serverFailure = 2;
const noSuchName = 3;

/** A real name server on this machine. @param zone by `name TYPE`; asked each time */
export async function startNameServer(zone: Zone) {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { question, end } = questionOf(query);
    asked.push(question);
    const found = zone[question] ?? [];
    if (found === 'silent') return;
    const records = found === 'broken' ? [] : found;
    const code = found === 'broken' ? serverFailure : records.length === 0 ? noSuchName : 0;
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(0x8180 | code, 2);
    head.writeUInt16BE(records.length, 6);
    head.writeUInt32BE(0, 8);
    const type = query.readUInt16BE(end - 4);
    const answers = records.map((record) => answerOf(type, record));
    socket.send(Buffer.concat([head, query.subarray(12, end), ...answers]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    lookup: lookupAt(`127.0.0.1:${socket.address().port}`),
    async [Symbol.asyncDispose]() {
      socket.close();
    },
  };
}

/** Resolves names to IPv4 as a connection asks for it, by one name server. */
function lookupAt(address: string): LookupFunction {
  const resolver = new Resolver({ timeout: 2000, tries: 3 });
  resolver.setServers([address]);
  return (name, { all }, done) => {
    resolver.resolve4(name, (error, found) => {
      if (error) done(error, '', 4);
      else if (all)
        done(
          null,
          found.map((one) => ({ address: one, family: 4 })),
        );
      else done(null, found[0] ?? '', 4);
    });
  };
}

function questionOf(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { question: `${labels.join('.').toLowerCase()} ${types[query.readUInt16BE(at + 1)]}`, end: at + 5 };
}

/** One record that points back to the question's name: RFC 1035 §4.1.3 and §4.1.4. */
function answerOf(type: number, record: string): Buffer {
  const data = types[type] === 'PTR' ? nameBytes(record) : addressBytes(record);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

const nameBytes = (name: string) =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ]);

/** IPv6 written out in full. */
const addressBytes = (address: string) =>
  address.includes(':')
    ? Buffer.from(address.replaceAll(':', ''), 'hex')
    : Buffer.from(address.split('.').map(Number));
