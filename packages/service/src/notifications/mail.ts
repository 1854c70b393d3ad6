import { isIP, Socket } from 'node:net';
import type { NotificationSettings } from '@portcullis/contract/notifications';
import { createTransport } from 'nodemailer';
import { type Reach, resolveDestination } from '../outgoing/index.ts';
import type { Attempt, Letter } from './channel.ts';
import { recipientsOf } from './settings.ts';

type Email = NotificationSettings['email'];

const connectMs = 10_000;
const answerMs = 20_000;
/** All of it, the look-up of the server's name among it: who sends a byte now and then is never silent. Another attempt begins only after it. */
const usualLimitMs = 60_000;

/** 4xx replies of a mail server pass, 5xx do not. @see RFC 5321 §4.2.1 */
function isPermanent(error: Error): boolean {
  const reply = 'responseCode' in error ? Number(error.responseCode) : 0;
  return reply >= 500 && reply < 600;
}

/** What a mail server replies tells the operator why; what anything else says, such as an inner service's banner, is not shown. */
function reasonOf(error: Error): string {
  return 'response' in error && !('responseCode' in error)
    ? 'What answers there is no mail server'
    : error.message;
}

/** Sends by a mail server: its name resolved once, its certificate always verified. */
export async function sendMail(
  email: Email,
  letter: Letter,
  { resolver, limitMs = usualLimitMs }: Reach = {},
): Promise<Attempt> {
  const signal = AbortSignal.timeout(limitMs);
  const destination = await resolveDestination(email.smtpHost, signal, resolver);
  if ('reason' in destination) return { sent: false, ...destination };
  const socket = new Socket();
  const transport = createTransport({
    // Ours, for nothing else ends a connection that is under way.
    socket,
    host: destination.address,
    port: email.smtpPort,
    secure: email.smtpSecurity === 'tls',
    requireTLS: email.smtpSecurity === 'starttls',
    ignoreTLS: email.smtpSecurity === 'none',
    tls: {
      rejectUnauthorized: true,
      // The name that the certificate must have; of an address the address itself. @see RFC 6066 §3
      ...(isIP(email.smtpHost) === 0 && { servername: email.smtpHost }),
    },
    ...(email.smtpUsername !== '' && { auth: { user: email.smtpUsername, pass: email.key } }),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: answerMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const cut = () => socket.destroy();
  signal.addEventListener('abort', cut, { once: true });
  try {
    await transport.sendMail({
      from: { name: email.senderName || 'Portcullis', address: email.senderEmail },
      to: recipientsOf(email.address),
      subject: letter.subject,
      text: letter.text,
    });
    return { sent: true };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const late = `The mail server was not done within ${limitMs / 1000} seconds`;
    return { sent: false, reason: signal.aborted ? late : reasonOf(error), mayPass: !isPermanent(error) };
  } finally {
    signal.removeEventListener('abort', cut);
    socket.destroy();
    transport.close();
  }
}
