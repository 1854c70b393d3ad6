export { accountName } from './account-name.ts';
export { exitSettings, explain, hearHangUp, type Part, runPart, trouble } from './child-process.ts';
