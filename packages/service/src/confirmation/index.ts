export { type Asked, type Confirmation, createConfirmation } from './confirmation.ts';
