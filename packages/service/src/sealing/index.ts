export { carryKey, keyFile, loadSealer, refuseOtherKey, type Sealer, sealerOf } from './sealer.ts';
