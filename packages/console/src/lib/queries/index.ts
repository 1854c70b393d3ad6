export * from './access.ts';
export * from './certificates.ts';
export * from './events.ts';
export * from './exceptions.ts';
export * from './fleet.ts';
export * from './password-policy.ts';
export * from './sites.ts';
export * from './traffic.ts';
