export * from './fastify.ts';
export * from './guard.ts';
export * from './hono.ts';
export * from './node-http.ts';
