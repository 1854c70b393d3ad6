export { anyDocument } from './any-document.ts';
