export * from './policy.ts';
export * from './request.ts';
export * from './verdict.ts';
