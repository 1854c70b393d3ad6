export { certificateOf } from './certificate.ts';
export { type HttpReceiver, httpReceiver, type MailReceiver, mailReceiver } from './receivers.ts';
