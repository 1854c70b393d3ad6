import type { FastifyInstance, RouteOptions } from 'fastify';

/** The methods that a path takes, whichever of its patterns it fits. */
export type MethodsOf = (pathname: string) => readonly string[];

/** `/api/sites/:id` as what fits it. */
const fits = (pattern: string) =>
  new RegExp(`^${pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:\w+/g, '[^/]+')}/?$`);

/**
 * Keeps in mind which methods each path of the API has, for the answer to another one. Call before there are routes.
 * @see RFC 9110 §15.5.6
 */
export function rememberMethods(app: FastifyInstance): MethodsOf {
  const patterns = new Map<string, { fits: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }: RouteOptions) => {
    if (!/^\/(api|logs)\//.test(url)) return;
    const known = patterns.get(url) ?? { fits: fits(url), methods: new Set() };
    for (const one of [method].flat()) known.methods.add(one);
    patterns.set(url, known);
  });
  return (pathname) => [
    ...new Set(
      [...patterns.values()]
        .filter((pattern) => pattern.fits.test(pathname))
        .flatMap(({ methods }) => [...methods]),
    ),
  ];
}
