import type { HeaderField, InspectedRequest } from '../../packages/engine/src/index.ts';

/** Puts one text where a client would carry it; bodies and header fields are as bytes in latin1. */
export type Carry = (text: string) => InspectedRequest;

const host: HeaderField = ['host', 'shop.example.com'];
const agent: HeaderField = [
  'user-agent',
  'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
];

function get(target: string, ...headers: HeaderField[]): InspectedRequest {
  const own = headers.some(([name]) => name === 'user-agent') ? [host] : [host, agent];
  return {
    method: 'GET',
    target,
    httpVersion: '1.1',
    scheme: 'https',
    headers: [...own, ...headers],
    clientIp: '192.0.2.1',
  };
}

function send(contentType: string, body: string, target = '/submit', method = 'POST'): InspectedRequest {
  return { ...get(target, ['content-type', contentType]), method, body: bytes(body) };
}

/** UTF-8 as the engine takes it: one character a byte. */
function bytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** Percent-encodes as a browser's form does; a text that was sent encoded already keeps its escapes. */
function encoded(text: string): string {
  const asIs = /%[0-9a-f]{2}/i.test(text);
  return [...text]
    .map((char) => (asIs && char === '%' ? char : char === ' ' ? '+' : encodeURIComponent(char)))
    .join('');
}

function markup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function part(disposition: string, contentType: string, text: string): string {
  const type = contentType === '' ? '' : `Content-Type: ${contentType}\r\n`;
  return `--bnd7\r\nContent-Disposition: form-data; ${disposition}\r\n${type}\r\n${text}\r\n--bnd7--\r\n`;
}

/** `name|declared type|content` as a file of a form. */
function upload(text: string): InspectedRequest {
  const [name = '', type = '', ...content] = text.split('|');
  const body = part(`name="file"; filename="${name}"`, type, content.join('|'));
  return send('multipart/form-data; boundary=bnd7', body, '/upload');
}

function utf16(text: string): InspectedRequest {
  return { ...send('application/xml', ''), body: Buffer.from(`\uFEFF${text}`, 'utf16le').toString('latin1') };
}

/** Ways a text reaches an application, by the word that the sample files use. */
export const carriers: Readonly<Record<string, Carry>> = {
  query: (text) => get(`/search?page=2&q=${encoded(text)}`),
  path: (text) => get(`/items/${encoded(text).replaceAll('+', '%20')}/view`),
  form: (text) => send('application/x-www-form-urlencoded', `id=12&comment=${encoded(text)}&submit=Save`),
  json: (text) =>
    send('application/json', JSON.stringify({ id: 7, item: { tags: ['a', 'b'], notes: [{ text }] } })),
  xml: (text) =>
    send('application/xml', `<?xml version="1.0"?><order><id>7</id><note>${markup(text)}</note></order>`),
  multipart: (text) => send('multipart/form-data; boundary=bnd7', part('name="note"', '', text)),
  cookie: (text) =>
    get('/', ['cookie', `sid=4f1c; pref=${bytes(text.replace(/[;\s]/g, encodeURIComponent))}`]),
  referer: (text) => get('/', ['referer', `https://shop.example.com/find?q=${encoded(text)}`]),
  useragent: (text) => get('/', ['user-agent', bytes(text)]),
  header: (text) => get('/', ['x-client-context', bytes(text)]),
  jsonraw: (text) => send('application/json', text),
  rawquery: (text) => get(`/login?${text}`),
  rawform: (text) => send('application/x-www-form-urlencoded', text, '/login'),
  rawxml: (text) => send('application/xml', text),
  rawxml16: utf16,
  rawget: (text) => get(text.replaceAll(' ', '%20')),
  rawput: (text) => {
    const [target = '', ...content] = text.split('|');
    return send('application/octet-stream', content.join('|'), target, 'PUT');
  },
  upload,
};
