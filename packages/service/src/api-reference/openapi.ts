import { type Access, type Endpoint, ErrorBody, endpoints, errorCatalogue } from '@portcullis/contract/api';
import { LogStreamQuery } from '@portcullis/contract/streams';
import type { z } from 'zod';
import { exampleOf } from './examples.ts';
import { type Json, SchemaCollector, type Side } from './schemas.ts';

function parameters(
  schemas: SchemaCollector,
  schema: z.ZodObject | undefined,
  place: 'path' | 'query' | 'header',
): Json[] {
  if (!schema) return [];
  const described = schemas.schemaOf(schema, 'input');
  // A query that the contract names is a reference; its parameters are wanted one by one.
  const { properties = {}, required = [] } = resolved(described, schemas) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function resolved(schema: Json, schemas: SchemaCollector): Json {
  const name = typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1) : undefined;
  return name === undefined ? schema : (schemas.components()[name] as Json);
}

const json = (schema: Json) => ({ 'application/json': { schema } });

const withExample = (schemas: SchemaCollector, schema: z.ZodType, side: Side) => ({
  'application/json': { schema: schemas.schemaOf(schema, side), example: exampleOf(schema, side) },
});

/** A text that is read as it comes, by its media type. */
const texts = {
  'text/plain': '203.0.113.0/24\n2001:db8:bad::/48 # the feed of today\n',
  'application/yaml': 'portcullis: 1\nsites: []\n',
} as const;

const refused = {
  description: 'Refused; `code` says why',
  content: json({ $ref: '#/components/schemas/Error' }),
};

function responses(schemas: SchemaCollector, endpoint: Endpoint): Json {
  if (endpoint.produces) {
    const content = Object.fromEntries(endpoint.produces.map((type) => [type, {}]));
    return { 200: { description: 'A stream', content }, default: refused };
  }
  const answer = endpoint.response
    ? { 200: { description: 'Done', content: withExample(schemas, endpoint.response, 'output') } }
    : { 204: { description: 'Done' } };
  return { ...answer, default: refused };
}

/** Who may call, in words. */
function neededBy(access: Access): string {
  if (access === 'public') return 'Anyone may call.';
  if (access === 'signed-in') return 'Anyone who is signed in may call, with a session or an API token.';
  if (access === 'session') return 'Needs a session; an API token is refused.';
  if ('allOf' in access) return `Needs all of: ${access.allOf.join(', ')}`;
  return access.anyOf.length > 1
    ? `Needs one of: ${access.anyOf.join(', ')}`
    : `Needs the permission ${access.anyOf.join()}`;
}

function operation(schemas: SchemaCollector, noun: string, name: string, endpoint: Endpoint): Json {
  const body = endpoint.body && { required: true, content: withExample(schemas, endpoint.body, 'input') };
  const text = endpoint.accepts && {
    required: true,
    content: { [endpoint.accepts]: { schema: { type: 'string' }, example: texts[endpoint.accepts] } },
  };
  return {
    operationId: `${noun}.${name}`,
    tags: [noun],
    summary: endpoint.summary,
    description: neededBy(endpoint.access),
    security: endpoint.access === 'public' ? [] : [{ bearer: [] }],
    parameters: [
      ...parameters(schemas, endpoint.params, 'path'),
      ...parameters(schemas, endpoint.query, 'query'),
      ...parameters(schemas, endpoint.headers, 'header'),
    ],
    ...(body && { requestBody: body }),
    ...(text && { requestBody: text }),
    responses: responses(schemas, endpoint),
  };
}

/** The two streams of server-sent events, which no table of JSON calls holds. */
function streams(schemas: SchemaCollector): Record<string, Json> {
  const stream = (name: string, summary: string, permission: string, query: z.ZodObject) => ({
    get: {
      operationId: `streams.${name}`,
      tags: ['streams'],
      summary,
      description: `Needs the permission ${permission}. \`token\` takes a ticket of POST /auth/stream-ticket.`,
      security: [{ bearer: [] }, {}],
      parameters: parameters(schemas, query, 'query'),
      responses: { 200: { description: 'Events', content: { 'text/event-stream': {} } }, default: refused },
    },
  });
  return {
    '/logs/stream': stream(
      'log',
      'Security log entries as they happen: events log, ping, reconnect and missed',
      'audit:view',
      LogStreamQuery,
    ),
    '/metrics/system/stream': stream(
      'system',
      "The machine's figures every two seconds: event metrics",
      'metrics:view',
      LogStreamQuery.pick({ token: true }),
    ),
  };
}

/** The whole public API as OpenAPI 3.1, from the same schemas that validate the calls. */
export function openApiDocument(productVersion: string): Json {
  const schemas = new SchemaCollector();
  const paths: Record<string, Json> = {};
  for (const [noun, calls] of Object.entries(endpoints)) {
    for (const [name, endpoint] of Object.entries(calls as Record<string, Endpoint>)) {
      paths[endpoint.path] = {
        ...paths[endpoint.path],
        [endpoint.method.toLowerCase()]: operation(schemas, noun, name, endpoint),
      };
    }
  }
  Object.assign(paths, streams(schemas));
  const codes = Object.entries(errorCatalogue).map(
    ([code, { status, message }]) => `${code} (${status}): ${message}`,
  );
  const error = schemas.schemaOf(ErrorBody, 'output');
  return {
    openapi: '3.1.0',
    info: {
      title: 'Portcullis',
      version: productVersion,
      description: `The API of the Portcullis service.\n\nError codes:\n\n- ${codes.join('\n- ')}`,
    },
    servers: [{ url: '/api' }],
    tags: [...Object.keys(endpoints), 'streams'].map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...schemas.components(), Error: error },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
}
