/**
 * What the runtime of a gateway is told, so that a worker at 200 sites and 1,000 clients stays below 200 MB: a young
 * generation of 3 × 8 MiB instead of 3 × 16 and two malloc arenas instead of eight a core. Saves 40 MB a worker; its
 * cost in processor time was within the noise. See benchmarks/gateway-memory.ts. Who sets them otherwise is left alone.
 */
export const gatewayRuntime = { NODE_OPTIONS: '--max-semi-space-size=8', MALLOC_ARENA_MAX: '2' } as const;
