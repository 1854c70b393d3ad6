export * as messages from './en.ts';
