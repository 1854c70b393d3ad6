export * from './preferences.ts';
export * from './theme.ts';
