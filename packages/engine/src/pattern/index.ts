export { type ByteSet, byteSet, type PatternNode, spaces } from './ast.ts';
export { type Beside, beside, besideOneOf, edgeFlag } from './beside.ts';
export { type BoundedMatch, type BoundedPattern, compileBounded } from './bounded.ts';
export * from './linear.ts';
export { type Clause, costOf, type Literal, likelihood } from './literal.ts';
export { parsePattern } from './parse.ts';
export { placesOfLoop } from './places.ts';
export * from './required.ts';
