import { headerValues, type Transaction } from '../state/index.ts';
import { namesOf, single, type VariableReader } from './reader.ts';

const protocol = ({ request }: Transaction) =>
  request.httpVersion === '' || /[a-z/\\]/i.test(request.httpVersion)
    ? request.httpVersion
    : `HTTP/${request.httpVersion}`;

const readers: Readonly<Record<string, VariableReader>> = {
  REQUEST_METHOD: single(({ request }) => request.method),
  REQUEST_URI: single(({ facts }) => facts.uri),
  REQUEST_URI_RAW: single(({ request }) => request.target),
  REQUEST_FILENAME: single(({ facts }) => facts.filename),
  REQUEST_BASENAME: single(({ facts }) => /[^/\\]*$/.exec(facts.filename)?.[0]),
  REQUEST_PROTOCOL: single(protocol),
  REQUEST_LINE: single((transaction) => {
    const { method, target } = transaction.request;
    return `${method} ${target} ${protocol(transaction)}`.trimEnd();
  }),
  QUERY_STRING: single(({ facts }) => facts.query),
  PATH_INFO: single(({ facts }) => facts.filename),
  REQUEST_HEADERS: { members: ({ request }) => request.headers },
  REQUEST_HEADERS_NAMES: { members: ({ request }) => namesOf(request.headers) },
  REQUEST_COOKIES: { members: ({ facts }) => facts.cookies },
  REQUEST_COOKIES_NAMES: { members: ({ facts }) => namesOf(facts.cookies) },
  AUTH_TYPE: single(
    ({ request }) => /^\w+/.exec(headerValues(request.headers, 'authorization')[0] ?? '')?.[0],
  ),
};

/** The request line and head. */
export const requestVariables: Readonly<Record<string, VariableReader>> = Object.fromEntries(
  Object.entries(readers).map(([name, reader]) => [name, { ...reader, fixed: true as const }]),
);
