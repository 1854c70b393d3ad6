/**
 * What the gateway takes of `node:http`. An `import` would ask that module for all its names, and one of them,
 * WebSocket, loads an HTTP client of Node's own: 5 MB of each worker.
 */
export const { createServer, ServerResponse } = process.getBuiltinModule('node:http');
