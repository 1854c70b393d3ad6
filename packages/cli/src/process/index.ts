export { explain, type Part, runPart } from './child-process.ts';
