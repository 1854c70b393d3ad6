export { conditionsOf, storable } from './conditions.ts';
export { type ActiveAlert, AlertKeeper, listAlerts } from './keeper.ts';
export { UnstoredAlerts } from './unstored.ts';
