export { readHost } from './host.ts';
export { SystemSampler } from './sampler.ts';
