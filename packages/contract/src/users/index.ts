export * from './credentials.ts';
export * from './preferences.ts';
export * from './requests.ts';
export * from './schemas.ts';
