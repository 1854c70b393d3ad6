import type { NotificationSettings } from '@portcullis/contract/notifications';
import { awsSignature } from './aws-signature.ts';
import type { Letter } from './channel.ts';
import { recipientsOf } from './settings.ts';

type Email = NotificationSettings['email'];

/** Where mail goes that names a key and neither a server nor a provider. */
export const defaultApiUrl = 'https://api.sendgrid.com/v3/mail/send';

const jsonType = 'application/json';

/** How one provider wants a message. */
interface Provider {
  readonly host: RegExp;
  /** how a key of two parts is written; absent: it has one */
  readonly pair?: string;
  /** absent: JSON */
  readonly contentType?: string;
  body(email: Email, letter: Letter): string;
  /** those that prove the key */
  headers(
    key: string,
    call: { readonly url: string; readonly body: string; readonly now: number },
  ): Record<string, string>;
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` });
const nameOf = ({ senderName }: Email) => senderName || 'Portcullis';
const sender = (email: Email) => `${nameOf(email)} <${email.senderEmail}>`;
const recipients = ({ address }: Email) => recipientsOf(address);
const json = (build: (email: Email, letter: Letter) => unknown) => (email: Email, letter: Letter) =>
  JSON.stringify(build(email, letter));

/** https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send */
const sendgrid: Provider = {
  host: /(^|\.)sendgrid\.com$/,
  headers: bearer,
  body: json((email, { subject, text }) => ({
    personalizations: [{ to: recipients(email).map((address) => ({ email: address })) }],
    from: { email: email.senderEmail, name: nameOf(email) },
    subject,
    content: [{ type: 'text/plain', value: text }],
  })),
};

/** https://resend.com/docs/api-reference/emails/send-email */
const resend: Provider = {
  host: /(^|\.)resend\.com$/,
  headers: bearer,
  body: json((email, { subject, text }) => ({ from: sender(email), to: recipients(email), subject, text })),
};

/** https://postmarkapp.com/developer/api/email-api */
const postmark: Provider = {
  host: /(^|\.)postmarkapp\.com$/,
  headers: (key) => ({ 'x-postmark-server-token': key, accept: jsonType }),
  body: json((email, { subject, text }) => ({
    From: sender(email),
    To: recipients(email).join(','),
    Subject: subject,
    TextBody: text,
  })),
};

/** https://developers.brevo.com/reference/sendtransacemail */
const brevo: Provider = {
  host: /(^|\.)brevo\.com$/,
  headers: (key) => ({ 'api-key': key, accept: jsonType }),
  body: json((email, { subject, text }) => ({
    sender: { email: email.senderEmail, name: nameOf(email) },
    to: recipients(email).map((address) => ({ email: address })),
    subject,
    textContent: text,
  })),
};

/** https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages: the domain stands in the URL */
const mailgun: Provider = {
  host: /(^|\.)mailgun\.net$/,
  contentType: 'application/x-www-form-urlencoded',
  headers: (key) => basic(`api:${key}`),
  body: (email, { subject, text }) =>
    new URLSearchParams({ from: sender(email), to: recipients(email).join(','), subject, text }).toString(),
};

/** https://dev.mailjet.com/email/guides/send-api-v31: the key is `public:private` */
const mailjet: Provider = {
  host: /(^|\.)mailjet\.com$/,
  pair: 'API key:secret key',
  headers: basic,
  body: json((email, { subject, text }) => ({
    Messages: [
      {
        From: { Email: email.senderEmail, Name: nameOf(email) },
        To: recipients(email).map((address) => ({ Email: address })),
        Subject: subject,
        TextPart: text,
      },
    ],
  })),
};

/** https://developers.sparkpost.com/api/transmissions */
const sparkpost: Provider = {
  host: /(^|\.)sparkpost\.com$/,
  headers: (key) => ({ authorization: key }),
  body: json((email, { subject, text }) => ({
    recipients: recipients(email).map((address) => ({ address: { email: address } })),
    content: { from: { email: email.senderEmail, name: nameOf(email) }, subject, text },
  })),
};

const sesHost = /^email\.(?<region>[a-z0-9-]+)\.amazonaws\.com$/;

/** https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html: the key is `id:secret` */
const ses: Provider = {
  host: sesHost,
  pair: 'access key id:secret access key',
  headers(key, { url, body, now }) {
    const [accessKeyId = '', ...secret] = key.split(':');
    const region = sesHost.exec(new URL(url).hostname)?.groups?.['region'] ?? '';
    const secretAccessKey = secret.join(':');
    const keys = { accessKeyId, secretAccessKey };
    return awsSignature({ url, body, now, region, service: 'ses', contentType: jsonType, ...keys });
  },
  body: json((email, { subject, text }) => ({
    FromEmailAddress: sender(email),
    Destination: { ToAddresses: recipients(email) },
    Content: {
      Simple: {
        Subject: { Data: subject, Charset: 'UTF-8' },
        Body: { Text: { Data: text, Charset: 'UTF-8' } },
      },
    },
  })),
};

const providers = [sendgrid, resend, postmark, brevo, mailgun, mailjet, sparkpost, ses];

const urlOf = ({ apiUrl }: Email) => apiUrl || defaultApiUrl;

/** By the host of the URL; of another host, SendGrid. */
function providerOf(email: Email): Provider {
  const url = urlOf(email);
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return providers.find((each) => each.host.test(host)) ?? sendgrid;
}

/** @returns how the provider's key is written, where the one that is set is not */
export function expectedKey(email: Email): string | undefined {
  const { pair } = providerOf(email);
  return pair !== undefined && !/^[^:]+:./.test(email.key) ? pair : undefined;
}

/**
 * The call that sends a message, in the form of its provider.
 * @param now Unix milliseconds, for keys that sign instead of being sent
 */
export function providerCall(email: Email, letter: Letter, now: number) {
  const url = urlOf(email);
  const provider = providerOf(email);
  const body = provider.body(email, letter);
  const headers = {
    ...provider.headers(email.key, { url, body, now }),
    'content-type': provider.contentType ?? jsonType,
  };
  return { url, headers, body };
}
