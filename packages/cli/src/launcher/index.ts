export { type ChildMessage, startChild } from './child.ts';
export { launch, type Running } from './launch.ts';
