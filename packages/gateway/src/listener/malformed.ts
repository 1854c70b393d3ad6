import type { Duplex } from 'node:stream';
import { answerUnderWay } from './in-turn.ts';
import { part } from './part.ts';

/** What could be read of bytes that Node's parser refused. */
export interface MalformedRequest {
  readonly status: 400 | 408 | 413 | 431;
  /** the parser's words */
  readonly reason: string;
  /** of the request line, where one can be seen */
  readonly method: string;
  readonly target: string;
}

const statusOf: Record<string, MalformedRequest['status']> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Reads an error of Node's server.
 * @returns undefined where the connection merely broke, which is nobody's attack
 */
export function describeClientError(error: NodeJS.ErrnoException): MalformedRequest | undefined {
  const code = error.code ?? '';
  if (!code.startsWith('HPE_') && !(code in statusOf)) return undefined;
  // A client that goes away within a request: common and harmless.
  if (code === 'HPE_INVALID_EOF_STATE') return undefined;
  const raw = 'rawPacket' in error && Buffer.isBuffer(error.rawPacket) ? error.rawPacket : Buffer.alloc(0);
  const line = /^([!-~]{1,32}) ([!-~]{1,2048})/.exec(raw.subarray(0, 4096).toString('latin1'));
  const reason = 'reason' in error && typeof error.reason === 'string' ? error.reason : error.message;
  return {
    status: statusOf[code] ?? 400,
    reason: `${reason} (${code})`,
    method: line?.[1] ?? '',
    target: line?.[2] ?? '',
  };
}

const phrases = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Content Too Large',
  431: 'Request Header Fields Too Large',
};

/** Answers on the bare socket, for no response object exists, and closes. */
export function answerMalformed(socket: Duplex, status: MalformedRequest['status'], requestId: string): void {
  // With an answer under way these bytes would land inside its body.
  if (!socket.writable || answerUnderWay(socket)?.headersSent) {
    socket.destroy();
    return;
  }
  const body = `${JSON.stringify({ error: phrases[status], message: phrases[status], code: 'bad_request', requestId })}\n`;
  socket.end(
    `HTTP/1.1 ${status} ${phrases[status]}\r\nContent-Type: application/json\r\nX-Request-Id: ${requestId}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  part(socket);
}
