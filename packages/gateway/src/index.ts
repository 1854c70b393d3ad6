export { trialWorker } from './inspect/index.ts';
export { createGateway, type Gateway, type GatewayOptions } from './lifecycle/index.ts';
export type { Log } from './log.ts';
export { previewPage } from './pages/index.ts';
