export * from './password-policy.ts';
export * from './permissions.ts';
export * from './schemas.ts';
export * from './tokens.ts';
