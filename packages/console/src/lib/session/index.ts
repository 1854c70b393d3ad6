export * from './session.ts';
export * from './token.ts';
