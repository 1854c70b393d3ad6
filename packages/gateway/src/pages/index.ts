export * from './page.ts';
export { previewPage } from './preview.ts';
export * from './render.ts';
export * from './send.ts';
