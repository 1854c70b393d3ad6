export * from './address.ts';
export * from './site.ts';
export * from './update.ts';
