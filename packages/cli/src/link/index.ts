export { createLinkClient, type LinkClient } from './client.ts';
export { holdDataFolder } from './hold.ts';
export { createJsonReader, type JsonReader } from './large-json.ts';
export { claimDataFolder, createLinkServer, type LinkServer } from './server.ts';
export { linkSocketPath, requireOwnFolder } from './socket-path.ts';
export { ownSpoken, readSpoken } from './spoken.ts';
