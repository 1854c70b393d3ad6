export * from './certificate.ts';
export * from './client.ts';
export * from './gateway.ts';
export * from './http2-frames.ts';
export * from './leaks.ts';
export * from './name-server.ts';
export * from './ports.ts';
export * from './upstream.ts';
