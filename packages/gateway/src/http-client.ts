import { createRequire } from 'node:module';
import type * as Undici from 'undici';

// By their own files: undici's index loads fetch, caches, WebSockets and mocks too, 10 MB of each worker that nobody uses.
const require = createRequire(import.meta.url);

/** One connection to an origin. */
export const Client = require('undici/lib/dispatcher/client.js') as typeof Undici.Client;

/** Kept-alive connections to an origin. */
export const Pool = require('undici/lib/dispatcher/pool.js') as typeof Undici.Pool;

/** Opens the sockets of a {@link Client}. */
export const buildConnector = require('undici/lib/core/connect.js') as typeof Undici.buildConnector;

/** What went wrong, by its own code. */
export const errors = require('undici/lib/core/errors.js') as typeof Undici.errors;

const dispatcher = require('undici/lib/dispatcher/dispatcher.js') as typeof Undici.Dispatcher;
// As undici's index does.
Object.assign(dispatcher.prototype, { request: require('undici/lib/api/api-request.js') });
