export * from './json.ts';
export * from './multipart.ts';
export * from './parsed-body.ts';
export * from './url-encoded.ts';
export * from './xml.ts';
