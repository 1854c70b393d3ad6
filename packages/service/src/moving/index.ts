export { type End, nameOfEnd, parseEnd } from './end.ts';
export { type Moved, type MoveOptions, moveInstallation } from './move.ts';
