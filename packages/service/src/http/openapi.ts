import { type Access, type Endpoint, ErrorBody, endpoints, errorCatalogue } from '@portcullis/contract/api';
import { z } from 'zod';

type Json = Record<string, unknown>;

/** `unrepresentable: any` because transforms (lower case, comma lists) have no form in JSON Schema. */
const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' }) as Json;

function parameters(schema: z.ZodObject | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const described = schemaOf(schema, 'input') as { properties?: Record<string, Json>; required?: string[] };
  return Object.entries(described.properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || (described.required ?? []).includes(name),
    schema: property,
  }));
}

function responses(endpoint: Endpoint): Json {
  const error = {
    description: 'Refused; `code` says why',
    content: json({ $ref: '#/components/schemas/Error' }),
  };
  if (endpoint.produces) {
    const content = Object.fromEntries(endpoint.produces.map((type) => [type, {}]));
    return { 200: { description: 'A stream', content }, default: error };
  }
  const answer = endpoint.response
    ? { 200: { description: 'Done', content: json(schemaOf(endpoint.response, 'output')) } }
    : { 204: { description: 'Done' } };
  return { ...answer, default: error };
}

const json = (schema: Json) => ({ 'application/json': { schema } });

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

function operation(noun: string, name: string, endpoint: Endpoint): Json {
  const body = endpoint.body && { required: true, content: json(schemaOf(endpoint.body, 'input')) };
  return {
    operationId: `${noun}.${name}`,
    tags: [noun],
    summary: endpoint.summary,
    description: neededBy(endpoint.access),
    security: endpoint.access === 'public' ? [] : [{ bearer: [] }],
    parameters: [...parameters(endpoint.params, 'path'), ...parameters(endpoint.query, 'query')],
    ...(body && { requestBody: body }),
    responses: responses(endpoint),
  };
}

/** The whole public API as OpenAPI 3.1, from the same schemas that validate the calls. */
export function openApiDocument(productVersion: string): Json {
  const paths: Record<string, Json> = {};
  for (const [noun, calls] of Object.entries(endpoints)) {
    for (const [name, endpoint] of Object.entries(calls as Record<string, Endpoint>)) {
      paths[endpoint.path] = {
        ...paths[endpoint.path],
        [endpoint.method.toLowerCase()]: operation(noun, name, endpoint),
      };
    }
  }
  const codes = Object.entries(errorCatalogue).map(
    ([code, { status, message }]) => `${code} (${status}): ${message}`,
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Portcullis',
      version: productVersion,
      description: `The API of the Portcullis service.\n\nError codes:\n\n- ${codes.join('\n- ')}`,
    },
    servers: [{ url: '/api' }],
    paths,
    components: {
      schemas: { Error: schemaOf(ErrorBody, 'output') },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
}
