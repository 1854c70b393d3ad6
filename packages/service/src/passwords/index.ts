export { hashPassword, verifyPassword } from './hash.ts';
export { refuseWeakPassword } from './policy.ts';
