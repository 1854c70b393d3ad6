export * from './address.ts';
export * from './pages.ts';
export * from './site.ts';
export * from './update.ts';
