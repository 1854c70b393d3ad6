import type { HeaderField, InspectedRequest } from '../parse/index.ts';
import { type InspectedCategory, inspectedCategories, type Sensitivity } from '../vocabulary.ts';

/** A plain GET of a page, with whatever a test changes. */
export function request(changes: Partial<InspectedRequest> = {}): InspectedRequest {
  const headers: HeaderField[] = [['host', 'shop.example.com']];
  return {
    method: 'GET',
    target: '/',
    httpVersion: '1.1',
    scheme: 'https',
    headers,
    clientIp: '192.0.2.7',
    ...changes,
  };
}

/** A POST with a body of that type. */
export function post(contentType: string, body: string, target = '/submit'): InspectedRequest {
  return request({
    method: 'POST',
    target,
    headers: [
      ['host', 'shop.example.com'],
      ['content-type', contentType],
    ],
    body,
  });
}

/** A GET with one query parameter, encoded as a form would. */
export function query(value: string, name = 'q'): InspectedRequest {
  return request({ target: `/search?${name}=${encodeLatin1(value)}` });
}

/** Percent-encodes each byte of latin1 text that is no letter or digit. */
export function encodeLatin1(text: string): string {
  return text.replace(/[^A-Za-z0-9]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** Every inspected category (or those given) on, blocking, at that sensitivity. */
export function choices(sensitivity: Sensitivity, only: readonly InspectedCategory[] = inspectedCategories) {
  const choice = { enabled: true, mode: 'block', sensitivity } as const;
  return Object.fromEntries(only.map((category) => [category, choice]));
}
