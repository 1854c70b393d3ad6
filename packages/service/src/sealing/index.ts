export { carryKey, keyFile, loadSealer, type Sealer, sealerOf } from './sealer.ts';
