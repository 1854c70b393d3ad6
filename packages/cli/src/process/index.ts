export { exitSettings, explain, hearHangUp, type Part, runPart } from './child-process.ts';
