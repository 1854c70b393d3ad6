export * from './compile.ts';
export * from './explain.ts';
export * from './inspect.ts';
export * from './policy.ts';
export { inspectRest, type RestOfBody } from './rest-of-body.ts';
export * from './standing.ts';
export * from './verdict.ts';
