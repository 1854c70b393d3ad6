import type { StructureCheck } from '../../rules/index.ts';

/** Content-Length beside Transfer-Encoding, several lengths, or a coding that only some parsers know. RFC 9112 §6. */
export const conflictingFraming: StructureCheck = ({ headers }) => {
  const codings = headers.get('transfer-encoding');
  const lengths = headers.get('content-length');
  if (codings && lengths)
    return { target: 'header:transfer-encoding', value: `${codings.join(', ')} beside Content-Length` };
  if (
    codings &&
    (codings.length > 1 || !/^(?:(?:gzip|deflate|compress)\s*,\s*)?chunked$/i.test(codings[0] ?? ''))
  ) {
    return { target: 'header:transfer-encoding', value: codings.join(', ') };
  }
  if (lengths && (new Set(lengths).size > 1 || !/^\d{1,15}$/.test(lengths[0] ?? ''))) {
    return { target: 'header:content-length', value: lengths.join(', ') };
  }
  return undefined;
};

const singular = ['host', 'content-type', 'authorization', 'content-length', 'origin'] as const;

/** RFC 9110 §5.3: of these only one may be sent; whose value counts is a matter of luck. */
export const repeatedSingular: StructureCheck = ({ headers }) => {
  for (const name of singular) {
    const values = headers.get(name);
    if (values && values.length > 1 && new Set(values).size > 1)
      return { target: `header:${name}`, value: values.join(', ') };
  }
  return undefined;
};

/** RFC 9110 §7.2: a host and a port; a path, a user or white space poisons links and caches. */
export const oddHost: StructureCheck = ({ headers }) => {
  const host = headers.get('host')?.[0];
  if (host === undefined || /^(?:[\w.*-]{0,253}|\[[0-9a-fA-F:.]{2,45}\])(?::\d{0,5})?$/.test(host))
    return undefined;
  return { target: 'header:host', value: host };
};

/** What HTTP/2 can carry and HTTP/1 would split: a line break, or a name that is no token. RFC 9113 §8.2.1. */
export const smuggledHeader: StructureCheck = ({ brokenHeader }) =>
  brokenHeader && { target: `header:${brokenHeader.name}`, value: brokenHeader.value };
