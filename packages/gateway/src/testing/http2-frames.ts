import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';

/** RFC 9113 §6 */
export const frameType = {
  data: 0,
  headers: 1,
  priority: 2,
  rstStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const flag = { endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 32 } as const;

/** RFC 9113 §7, by code */
const errorNames = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
];

export type Field = readonly [name: string, value: string];

/** One frame as bytes, well-formed or not: nothing is checked. */
export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Buffer = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** HPACK without compression: every field a literal that is not remembered, RFC 7541 §6.2.2. */
export function headerBlock(fields: readonly Field[]): Buffer {
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]));
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1');
  const prefix: number[] = [];
  let rest = bytes.length;
  if (rest < 127) prefix.push(rest);
  else {
    prefix.push(127);
    for (rest -= 127; rest >= 128; rest >>= 7) prefix.push((rest & 127) | 128);
    prefix.push(rest);
  }
  return Buffer.concat([Buffer.from(prefix), bytes]);
}

export function headers(
  stream: number,
  fields: readonly Field[],
  flags: number = flag.endStream | flag.endHeaders,
): Buffer {
  return frame(frameType.headers, flags, stream, headerBlock(fields));
}

export function data(stream: number, body: string, flags: number = flag.endStream): Buffer {
  return frame(frameType.data, flags, stream, Buffer.from(body, 'latin1'));
}

export function rstStream(stream: number, code = 8): Buffer {
  return frame(frameType.rstStream, 0, stream, uint32(code));
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

export interface ReceivedFrame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** One HTTP/2 connection over TLS on which a test says what it likes. */
export class FrameConnection {
  readonly received: ReceivedFrame[] = [];
  readonly socket: TLSSocket;
  /** resolves once it is closed, by whom and however roughly; a failed write on the way is no failure of the wait */
  readonly ended: Promise<void>;
  closed = false;
  #held: Buffer = Buffer.alloc(0);
  #wake: () => void = () => undefined;

  constructor(socket: TLSSocket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', () => undefined);
    this.ended = new Promise((resolve) => {
      socket.on('close', () => {
        this.closed = true;
        this.#wake();
        resolve();
      });
    });
  }

  /** Resolves once the bytes are out of our hands, or the other side has closed. */
  async send(...frames: readonly Buffer[]): Promise<void> {
    if (this.closed || this.socket.destroyed) return;
    if (this.socket.write(Buffer.concat(frames))) return;
    await new Promise<void>((resolve) => {
      const go = () => {
        this.socket.off('drain', go).off('close', go);
        resolve();
      };
      this.socket.once('drain', go).once('close', go);
    });
  }

  /** @returns the first frame that satisfies the condition; undefined where the connection ends without one */
  async frame(matches: (frame: ReceivedFrame) => boolean): Promise<ReceivedFrame | undefined> {
    for (;;) {
      const found = this.received.find(matches);
      if (found !== undefined || this.closed) return found;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /**
   * What became of a stream: `200` for an answer, `stream CANCEL` for a reset, `connection PROTOCOL_ERROR` for a
   * GOAWAY that says why, `closed` for an end without a word.
   */
  async outcome(stream = 1): Promise<string> {
    const decisive = await this.frame(
      ({ type, stream: of, payload }) =>
        (of === stream && (type === frameType.headers || type === frameType.rstStream)) ||
        (type === frameType.goaway && payload.readUInt32BE(4) !== 0),
    );
    if (decisive === undefined) return 'closed';
    if (decisive.type === frameType.headers) return String(statusOf(decisive));
    if (decisive.type === frameType.rstStream) return `stream ${errorName(decisive.payload.readUInt32BE(0))}`;
    return `connection ${errorName(decisive.payload.readUInt32BE(4))}`;
  }

  /** Ends the connection and waits for its end. */
  async end(): Promise<void> {
    this.socket.destroy();
    await this.ended;
  }

  #take(chunk: Buffer): void {
    this.#held = Buffer.concat([this.#held, chunk]);
    while (this.#held.length >= 9) {
      const length = this.#held.readUIntBE(0, 3);
      if (this.#held.length < 9 + length) break;
      this.received.push({
        type: this.#held.readUInt8(3),
        flags: this.#held.readUInt8(4),
        stream: this.#held.readUInt32BE(5),
        payload: this.#held.subarray(9, 9 + length),
      });
      this.#held = this.#held.subarray(9 + length);
    }
    this.#wake();
  }
}

const errorName = (code: number) => errorNames[code] ?? `error ${code}`;

/** `:status` stands first: RFC 7541 §6.1 has seven in its static table, others come as text or Huffman digits. */
function statusOf({ payload }: ReceivedFrame): number {
  const [first = 0, length = 0] = payload;
  const known = { 136: 200, 137: 204, 138: 206, 139: 304, 140: 400, 141: 404, 142: 500 }[first];
  if (known !== undefined) return known;
  const bytes = payload.subarray(2, 2 + (length & 127));
  return Number((length & 128) === 0 ? bytes.toString('latin1') : huffmanDigits(bytes));
}

/** RFC 7541, appendix B: 0 to 2 are five bits long, 3 to 9 six. */
function huffmanDigits(bytes: Buffer): string {
  let bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  let digits = '';
  while (digits.length < 3) {
    const short = Number.parseInt(bits.slice(0, 5), 2);
    digits += short <= 2 ? short : Number.parseInt(bits.slice(0, 6), 2) - 0b011001 + 3;
    bits = bits.slice(short <= 2 ? 5 : 6);
  }
  return digits;
}

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

/** Opens a connection and says the preface with empty settings. */
export async function openHttp2(port: number, servername: string): Promise<FrameConnection> {
  const socket = connect({
    port,
    host: '127.0.0.1',
    servername,
    rejectUnauthorized: false,
    ALPNProtocols: ['h2'],
  });
  await once(socket, 'secureConnect');
  const connection = new FrameConnection(socket);
  await connection.send(preface, frame(frameType.settings, 0, 0));
  return connection;
}
