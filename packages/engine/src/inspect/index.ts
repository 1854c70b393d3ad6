export * from './request.ts';
export * from './verdict.ts';
export * from './policy.ts';
