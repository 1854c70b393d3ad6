import type { NotificationSettings } from '@portcullis/contract/notifications';
import type { Letter } from './channel.ts';
import { recipientsOf } from './settings.ts';

type Email = NotificationSettings['email'];

/** Where mail goes that names a key and neither a server nor a provider. */
export const defaultApiUrl = 'https://api.sendgrid.com/v3/mail/send';

/** How one provider wants a message. */
interface Provider {
  readonly host: RegExp;
  headers(key: string): Record<string, string>;
  body(email: Email, letter: Letter): unknown;
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const sender = ({ senderEmail, senderName }: Email) => `${senderName || 'Portcullis'} <${senderEmail}>`;

/** https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send */
const sendgrid: Provider = {
  host: /(^|\.)sendgrid\.com$/,
  headers: bearer,
  body: (email, { subject, text }) => ({
    personalizations: [{ to: recipientsOf(email.address).map((address) => ({ email: address })) }],
    from: { email: email.senderEmail, name: email.senderName || 'Portcullis' },
    subject,
    content: [{ type: 'text/plain', value: text }],
  }),
};

const providers: readonly Provider[] = [
  sendgrid,
  {
    // https://resend.com/docs/api-reference/emails/send-email
    host: /(^|\.)resend\.com$/,
    headers: bearer,
    body: (email, { subject, text }) => ({
      from: sender(email),
      to: recipientsOf(email.address),
      subject,
      text,
    }),
  },
  {
    // https://postmarkapp.com/developer/api/email-api
    host: /(^|\.)postmarkapp\.com$/,
    headers: (key) => ({ 'x-postmark-server-token': key, accept: 'application/json' }),
    body: (email, { subject, text }) => ({
      From: sender(email),
      To: recipientsOf(email.address).join(','),
      Subject: subject,
      TextBody: text,
    }),
  },
  {
    // https://developers.brevo.com/reference/sendtransacemail
    host: /(^|\.)brevo\.com$/,
    headers: (key) => ({ 'api-key': key, accept: 'application/json' }),
    body: (email, { subject, text }) => ({
      sender: { email: email.senderEmail, name: email.senderName || 'Portcullis' },
      to: recipientsOf(email.address).map((address) => ({ email: address })),
      subject,
      textContent: text,
    }),
  },
];

/** The call that sends a message, in the form of the provider that the URL names; of another host, SendGrid's. */
export function providerCall(email: Email, letter: Letter) {
  const url = email.apiUrl || defaultApiUrl;
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  const provider = providers.find((each) => each.host.test(host)) ?? sendgrid;
  return {
    url,
    headers: { ...provider.headers(email.key), 'content-type': 'application/json' },
    body: JSON.stringify(provider.body(email, letter)),
  };
}
