import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { NotificationSettings } from '@portcullis/contract/notifications';
import { afterEach, describe, expect, it } from 'vitest';
import { awsSignature } from './aws-signature.ts';
import { dispatch } from './dispatch.ts';
import { providerCall } from './mail-providers.ts';
import {
  certificateOf,
  type HttpReceiver,
  httpReceiver,
  type MailReceiver,
  mailReceiver,
  noticeFor,
} from './testing/index.ts';

const letter = noticeFor({ subject: '[Gate] Site Käse is down', text: 'Nobody answers.\n.\nBye' });

describe('mail', () => {
  let mail: MailReceiver | undefined;
  let api: HttpReceiver | undefined;
  afterEach(async () => {
    await mail?.stop();
    await api?.stop();
    mail = undefined;
    api = undefined;
  });
  const settings = (email: object) =>
    NotificationSettings.parse({
      email: { address: 'ops@example.com', senderEmail: 'gate@example.com', senderName: 'Gate', ...email },
    });
  const smtp = (port: number, more: object = {}) =>
    settings({ smtpHost: '127.0.0.1', smtpPort: port, smtpSecurity: 'none', ...more });

  it('goes through a mail server, signed in where a user is named', async () => {
    mail = await mailReceiver();
    const attempt = await dispatch(
      smtp(mail.port, { smtpUsername: 'gate', key: 'pass word' }),
      'email',
      letter,
    );
    expect(attempt).toEqual({ sent: true });
    expect(mail.mails[0]).toMatchObject({
      from: 'gate@example.com',
      to: ['ops@example.com'],
      user: 'gate:pass word',
    });
    expect(mail.mails[0]?.text).toContain('Subject: =?UTF-8?');
  });

  it('never goes in the clear where STARTTLS is asked for and not offered', async () => {
    mail = await mailReceiver();
    const attempt = await dispatch(smtp(mail.port, { smtpSecurity: 'starttls' }), 'email', letter);
    expect(attempt.sent).toBe(false);
    expect(mail.mails).toEqual([]);
  });

  it('goes over TLS to a server whose certificate has its name, at the address that was resolved', async () => {
    const { cert, key } = await certificateOf('mail.example.com');
    mail = await mailReceiver({ disabledCommands: [], cert, key });
    const to = smtp(mail.port, { smtpHost: 'mail.example.com', smtpSecurity: 'starttls' });
    const resolver = async () => ['127.0.0.1'];
    const unknown = await dispatch(to, 'email', letter, { resolver });
    expect(unknown).toMatchObject({ sent: false, reason: expect.stringContaining('self-signed') });
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, cert]);
    try {
      expect(await dispatch(to, 'email', letter, { resolver })).toEqual({ sent: true });
      const other = smtp(mail.port, { smtpHost: 'mx.example.com', smtpSecurity: 'starttls' });
      const misnamed = await dispatch(other, 'email', letter, { resolver });
      expect(misnamed).toMatchObject({ sent: false, reason: expect.stringContaining('altnames') });
    } finally {
      setDefaultCACertificates(trusted);
    }
    expect(mail.mails).toHaveLength(1);
  });

  it('does not tell what a server says that is no mail server', async () => {
    const inner = createServer((socket) => socket.end('SSH-2.0-inner-secret\r\n')).listen(0, '127.0.0.1');
    await once(inner, 'listening');
    const { port } = inner.address() as AddressInfo;
    const attempt = await dispatch(smtp(port), 'email', letter);
    inner.close();
    expect(attempt).toMatchObject({
      sent: false,
      reason: 'What answers there is no mail server',
      mayPass: true,
    });
  });

  it('is given up where the server refuses for good, and tried again where it asks for patience', async () => {
    let code = 550;
    mail = await mailReceiver({
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error('No'), { responseCode: code })),
    });
    expect(await dispatch(smtp(mail.port), 'email', letter)).toMatchObject({ sent: false, mayPass: false });
    code = 451;
    expect(await dispatch(smtp(mail.port), 'email', letter)).toMatchObject({ sent: false, mayPass: true });
  });

  it.each(['PLAIN', 'LOGIN'])('tells no password that a mail server quotes of AUTH %s', async (method) => {
    let quoted = '';
    mail = await mailReceiver({
      authMethods: [method],
      onAuth({ username, password }, _session, done) {
        const said = method === 'PLAIN' ? `\0${username}\0${password}` : password;
        quoted = Buffer.from(said ?? '').toString('base64');
        done(Object.assign(new Error(`${quoted} is wrong`), { responseCode: 535 }));
      },
    });
    const attempt = await dispatch(
      smtp(mail.port, { smtpUsername: 'gate', key: 'pass word' }),
      'email',
      letter,
    );
    expect(attempt).toMatchObject({ sent: false, reason: expect.stringContaining('••• is wrong') });
    expect(quoted).not.toBe('');
  });

  it('goes by a provider with its key, and tells nothing of the key when it is refused', async () => {
    api = await httpReceiver();
    api.answer = { status: 202 };
    const chosen = settings({ transport: 'api', apiUrl: `${api.url}/v3/mail/send`, key: 'SG.secret' });
    expect(await dispatch(chosen, 'email', letter)).toEqual({ sent: true });
    expect(api.received[0]).toMatchObject({
      url: '/v3/mail/send',
      headers: { authorization: 'Bearer SG.secret' },
      body: {
        personalizations: [{ to: [{ email: 'ops@example.com' }] }],
        from: { email: 'gate@example.com', name: 'Gate' },
        subject: letter.subject,
        content: [{ type: 'text/plain', value: letter.text }],
      },
    });
    api.answer = { status: 401, body: 'SG.secret is wrong' };
    const refused = await dispatch(chosen, 'email', letter);
    expect(refused).toEqual({ sent: false, reason: 'The receiver answered 401', mayPass: false });
  });

  const json = { 'content-type': 'application/json' };
  const both = 'ops@example.com, night@example.com';
  it.each([
    [
      'api.sendgrid.com/v3/mail/send',
      { authorization: 'Bearer the:key', ...json },
      {
        personalizations: [{ to: [{ email: 'ops@example.com' }, { email: 'night@example.com' }] }],
        from: { email: 'gate@example.com', name: 'Gate' },
        subject: letter.subject,
        content: [{ type: 'text/plain', value: letter.text }],
      },
    ],
    [
      'api.resend.com/emails',
      { authorization: 'Bearer the:key', ...json },
      {
        from: 'Gate <gate@example.com>',
        to: ['ops@example.com', 'night@example.com'],
        subject: letter.subject,
        text: letter.text,
      },
    ],
    [
      'api.postmarkapp.com/email',
      { 'x-postmark-server-token': 'the:key', accept: 'application/json', ...json },
      {
        From: 'Gate <gate@example.com>',
        To: 'ops@example.com,night@example.com',
        Subject: letter.subject,
        TextBody: letter.text,
      },
    ],
    [
      'api.brevo.com/v3/smtp/email',
      { 'api-key': 'the:key', accept: 'application/json', ...json },
      {
        sender: { email: 'gate@example.com', name: 'Gate' },
        to: [{ email: 'ops@example.com' }, { email: 'night@example.com' }],
        subject: letter.subject,
        textContent: letter.text,
      },
    ],
    [
      'api.eu.mailgun.net/v3/mg.example.com/messages',
      { authorization: 'Basic YXBpOnRoZTprZXk=', 'content-type': 'application/x-www-form-urlencoded' },
      {
        from: 'Gate <gate@example.com>',
        to: 'ops@example.com,night@example.com',
        subject: letter.subject,
        text: letter.text,
      },
    ],
    [
      'api.mailjet.com/v3.1/send',
      { authorization: 'Basic dGhlOmtleQ==', ...json },
      {
        Messages: [
          {
            From: { Email: 'gate@example.com', Name: 'Gate' },
            To: [{ Email: 'ops@example.com' }, { Email: 'night@example.com' }],
            Subject: letter.subject,
            TextPart: letter.text,
          },
        ],
      },
    ],
    [
      'api.sparkpost.com/api/v1/transmissions',
      { authorization: 'the:key', ...json },
      {
        recipients: [{ address: { email: 'ops@example.com' } }, { address: { email: 'night@example.com' } }],
        content: {
          from: { email: 'gate@example.com', name: 'Gate' },
          subject: letter.subject,
          text: letter.text,
        },
      },
    ],
    [
      'email.eu-central-1.amazonaws.com/v2/email/outbound-emails',
      {
        authorization: expect.stringMatching(
          /^AWS4-HMAC-SHA256 Credential=the\/\d{8}\/eu-central-1\/ses\/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=[0-9a-f]{64}$/,
        ),
        'x-amz-date': expect.stringMatching(/^\d{8}T\d{6}Z$/),
        ...json,
      },
      {
        FromEmailAddress: 'Gate <gate@example.com>',
        Destination: { ToAddresses: ['ops@example.com', 'night@example.com'] },
        Content: {
          Simple: {
            Subject: { Data: letter.subject, Charset: 'UTF-8' },
            Body: { Text: { Data: letter.text, Charset: 'UTF-8' } },
          },
        },
      },
    ],
  ])('reaches %s in the form of its provider, byte for byte', async (place, headers, body) => {
    api = await httpReceiver();
    const [host = '', ...path] = place.split('/');
    const port = new URL(api.url).port;
    const apiUrl = `http://${host}:${port}/${path.join('/')}`;
    const to = settings({ transport: 'api', apiUrl, key: 'the:key', address: both });
    expect(await dispatch(to, 'email', letter, { resolver: async () => ['127.0.0.1'] })).toEqual({
      sent: true,
    });
    const [call] = api.received;
    const {
      host: asked,
      connection: _c,
      'content-length': length,
      'user-agent': _agent,
      ...rest
    } = call?.headers ?? {};
    expect([asked, call?.url, call?.body]).toEqual([`${host}:${port}`, `/${path.join('/')}`, body]);
    expect(rest).toEqual(headers);
    expect(Number(length)).toBe(call?.length);
  });

  // get-vanilla's sister for POST, from the suite that AWS gives out for Signature Version 4.
  it('is signed for Amazon as Amazon signs its own example', () => {
    const headers = awsSignature({
      url: 'https://example.amazonaws.com/',
      body: '',
      region: 'us-east-1',
      service: 'service',
      accessKeyId: 'AKIDEXAMPLE',
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
      now: Date.UTC(2015, 7, 30, 12, 36),
    });
    expect(headers['authorization']).toBe(
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
    );
  });

  it('goes to the provider that a key alone means', () => {
    expect(providerCall(settings({ key: 'k' }).email, letter, 0).url).toBe(
      'https://api.sendgrid.com/v3/mail/send',
    );
  });

  it('says what is missing instead of trying', async () => {
    for (const [more, what] of [
      [{ address: '' }, 'recipient'],
      [{ senderEmail: '' }, 'sender'],
      [{}, 'mail server'],
      [{ transport: 'api' }, 'key'],
      [{ apiUrl: 'https://api.mailjet.com/v3.1/send', key: 'half' }, 'API key:secret key'],
    ] as const) {
      const attempt = await dispatch(settings(more), 'email', letter);
      expect(attempt).toMatchObject({ sent: false, mayPass: false, reason: expect.stringContaining(what) });
    }
  });
});
