export { accountName } from './account-name.ts';
export { exitSettings, explain, hearHangUp, type Part, runPart } from './child-process.ts';
