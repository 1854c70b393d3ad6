export { type Actor, type Authentication, refusal } from './access.ts';
export { type AppOptions, createApp } from './app.ts';
export { callerNetwork } from './caller-network.ts';
export { issuesOf, sendFailure } from './failures.ts';
export { chosen } from './query.ts';
export { type Answer, type Call, type Handler, serve, serveStream, serveText } from './serve.ts';
export type { TextReader } from './text-body.ts';
