export * from './totp-section.tsx';
