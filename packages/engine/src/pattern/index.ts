export * from './linear.ts';
export * from './required.ts';
