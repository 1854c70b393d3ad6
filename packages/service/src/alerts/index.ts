export { conditionsOf, storable } from './conditions.ts';
export { AlertKeeper, listAlerts } from './keeper.ts';
export { UnstoredAlerts } from './unstored.ts';
