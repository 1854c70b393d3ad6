export * from './certificate.ts';
export * from './served.ts';
