export { linesOf, type Schema } from './shape.ts';
