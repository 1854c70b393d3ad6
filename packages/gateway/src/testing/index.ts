export * from './certificate.ts';
export * from './client.ts';
export * from './gateway.ts';
export * from './ports.ts';
export * from './upstream.ts';
