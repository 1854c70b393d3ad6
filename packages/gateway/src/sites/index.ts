export * from './configuration.ts';
export * from './served-site.ts';
