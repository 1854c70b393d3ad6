export { certificateOf } from './certificate.ts';
export { noticeFor } from './notice.ts';
export { type HttpReceiver, httpReceiver, type MailReceiver, mailReceiver } from './receivers.ts';
