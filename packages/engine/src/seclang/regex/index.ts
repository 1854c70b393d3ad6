export * from './pattern.ts';
export * from './translate.ts';
