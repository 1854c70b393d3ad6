export { anyDocument } from './any-document.ts';
export { leftAtDefault, unlikeDefault } from './unlike-default.ts';
