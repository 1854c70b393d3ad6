/** The kinds of request that are measured, all of them benign. */
export interface Shape {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const browser = {
  Host: 'bench.test',
  'User-Agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36',
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'Accept-Language': 'en-GB,en;q=0.9,de;q=0.8',
  'Accept-Encoding': 'gzip, deflate',
  Cookie: 'session=6f1c2b9ad0e84e7f; theme=dark; cart=3',
  Referer: 'http://bench.test/catalogue',
};

const words = [
  'river',
  'lantern',
  'quiet',
  'meadow',
  'copper',
  'signal',
  'harbour',
  'violet',
  'timber',
  'orbit',
];
const word = (index: number) => words[index % words.length] ?? '';
const sentence = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => word(from * 7 + index * 3)).join(' ');

const query = Array.from(
  { length: 10 },
  (_, index) => `${word(index)}=${word(index + 3)}+${index * 37}`,
).join('&');

const json = JSON.stringify({
  items: Array.from({ length: 16 }, (_, index) => ({
    id: index,
    name: sentence(index, 4),
    note: sentence(index + 1, 8),
    price: index * 3.5,
  })),
});

const form = Array.from(
  { length: 40 },
  (_, index) => `field${index}=${sentence(index, 36).replaceAll(' ', '+')}`,
).join('&');

export const shapes: readonly Shape[] = [
  { name: 'GET /', method: 'GET', path: '/', headers: browser, body: '' },
  { name: 'GET, 10 parameters', method: 'GET', path: `/search?${query}`, headers: browser, body: '' },
  {
    name: `JSON, ${(json.length / 1024).toFixed(1)} KB`,
    method: 'POST',
    path: '/api/orders',
    headers: { ...browser, 'Content-Type': 'application/json' },
    body: json,
  },
  {
    name: `form, ${(form.length / 1024).toFixed(1)} KB`,
    method: 'POST',
    path: '/contact',
    headers: { ...browser, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: form,
  },
];

/** @returns the shape as a script of wrk; JSON string syntax is valid Lua for plain ASCII */
export function luaOf(shape: Shape): string {
  const headers = Object.entries(shape.headers).map(
    ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
  );
  return [
    `wrk.method = "${shape.method}"`,
    ...headers,
    ...(shape.body ? [`wrk.body = ${JSON.stringify(shape.body)}`] : []),
  ].join('\n');
}
