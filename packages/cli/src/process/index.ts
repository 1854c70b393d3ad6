export { exitSettings, explain, type Part, runPart } from './child-process.ts';
