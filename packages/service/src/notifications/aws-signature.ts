import { createHash, createHmac } from 'node:crypto';

/** What is signed, and for whom. */
export interface AwsRequest {
  readonly url: string;
  readonly contentType?: string;
  readonly body: string;
  readonly region: string;
  readonly service: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Unix milliseconds; AWS takes what is at most some minutes off */
  readonly now: number;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/**
 * Signs a POST whose path needs no escaping and that has no query.
 * @returns the headers to send with it, beside Host and Content-Type
 * @see docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function awsSignature(request: AwsRequest): Record<string, string> {
  const { host, pathname } = new URL(request.url);
  const time = new Date(request.now).toISOString().replace(/[-:]|\.\d+/g, '');
  const day = time.slice(0, 8);
  const headers: [string, string][] = [
    ...(request.contentType === undefined ? [] : [['content-type', request.contentType] as [string, string]]),
    ['host', host],
    ['x-amz-date', time],
  ];
  const signed = headers.map(([name]) => name).join(';');
  const lines = headers.map(([name, value]) => `${name}:${value}\n`).join('');
  const canonical = ['POST', pathname, '', lines, signed, sha256(request.body)].join('\n');
  const scope = `${day}/${request.region}/${request.service}/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const parts = [day, request.region, request.service, 'aws4_request'];
  const key = parts.reduce<string | Buffer>((k, part) => hmac(k, part), `AWS4${request.secretAccessKey}`);
  const signature = hmac(key, toSign).toString('hex');
  const credential = `${request.accessKeyId}/${scope}`;
  return {
    'x-amz-date': time,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${signed}, Signature=${signature}`,
  };
}
