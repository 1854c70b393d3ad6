import { createRequire } from 'node:module';
import type * as Undici from 'undici';

// By its own file: undici's index loads fetch, caches, WebSockets and mocks too, memory of each gateway that nobody uses.
const require = createRequire(import.meta.url);

export type Agent = Undici.Agent;

/** Kept-alive connections, by origin. */
export const Agent = require('undici/lib/dispatcher/agent.js') as typeof Undici.Agent;

const dispatcher = require('undici/lib/dispatcher/dispatcher.js') as typeof Undici.Dispatcher;
// As undici's index does.
Object.assign(dispatcher.prototype, { request: require('undici/lib/api/api-request.js') });
