export * from './page.ts';
export * from './render.ts';
export * from './send.ts';
