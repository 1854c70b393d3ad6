export { inspectResponse, type Leak } from './inspect-response.ts';
