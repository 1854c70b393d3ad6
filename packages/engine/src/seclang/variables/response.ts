import { headerValues, toLatin1 } from '../state/index.ts';
import { namesOf, single, type VariableReader } from './reader.ts';

/** The response; without one, its variables are absent. */
export const responseVariables: Readonly<Record<string, VariableReader>> = {
  RESPONSE_STATUS: single(({ response }) => response?.status),
  STATUS: single(({ response }) => response?.status),
  STATUS_LINE: single(({ response }) => (response ? `HTTP/1.1 ${response.status}` : undefined)),
  RESPONSE_PROTOCOL: single(({ response }) => (response ? 'HTTP/1.1' : undefined)),
  RESPONSE_HEADERS: { members: ({ response }) => response?.headers ?? [] },
  RESPONSE_HEADERS_NAMES: { members: ({ response }) => namesOf(response?.headers ?? []) },
  RESPONSE_CONTENT_TYPE: single(({ response }) => headerValues(response?.headers ?? [], 'content-type')[0]),
  RESPONSE_CONTENT_LENGTH: single(({ response }) => response?.body?.length),
  RESPONSE_BODY: single(({ response, phase }) =>
    response?.body && phase > 3 ? toLatin1(response.body) : undefined,
  ),
  OUTBOUND_DATA_ERROR: single(() => 0),
};
