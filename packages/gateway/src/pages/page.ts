import type { SitePages } from '@portcullis/contract/sites';

/** An answer of the gateway itself. `detail` is for people and never tells which rule decided. */
export interface Page {
  readonly status: number;
  /** stable, for programs: `request_blocked` */
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  /** which of the operator's own wordings takes the place of title and detail */
  readonly kind?: Exclude<keyof SitePages, 'contact'>;
}

/** Every answer that the gateway gives on its own account. */
export const pages = {
  blocked: {
    status: 403,
    code: 'request_blocked',
    kind: 'block',
    title: 'Request blocked',
    detail:
      'This request was refused because it looked unsafe. If you believe this is a mistake, tell the site’s operator the reference below.',
  },
  addressBlocked: {
    status: 403,
    code: 'address_blocked',
    kind: 'block',
    title: 'Access denied',
    detail: 'Requests from this address are not accepted here.',
  },
  challenge: {
    status: 403,
    code: 'challenge_required',
    kind: 'challenge',
    title: 'One moment, please',
    detail:
      'This site checks that a browser is there before it answers. The check runs by itself and takes about a second.',
  },
  captcha: {
    status: 403,
    code: 'challenge_required',
    kind: 'challenge',
    title: 'Are you a person?',
    detail: 'This site asks visitors to read a few characters before they continue.',
  },
  unknownSite: {
    status: 404,
    code: 'unknown_site',
    title: 'Not found',
    detail: 'No site is served under this name here.',
  },
  notConfigured: {
    status: 503,
    code: 'not_configured',
    title: 'Not configured yet',
    detail: 'This gateway is running and waits for its first configuration.',
  },
  maintenance: {
    status: 503,
    code: 'maintenance',
    kind: 'maintenance',
    title: 'Down for maintenance',
    detail: 'This site is being worked on and will be back soon.',
  },
  rateLimited: {
    status: 429,
    code: 'rate_limited',
    title: 'Too many requests',
    detail: 'You have sent more requests than this site accepts. Wait a moment and try again.',
  },
  overloaded: {
    status: 503,
    code: 'overloaded',
    kind: 'error',
    title: 'Too busy',
    detail: 'The gateway has no room for this request right now. Try again in a moment.',
  },
  badRequest: {
    status: 400,
    code: 'bad_request',
    title: 'Bad request',
    detail: 'The request could not be understood.',
  },
  headTooLarge: {
    status: 431,
    code: 'bad_request',
    title: 'Too many header fields',
    detail: 'The request has more header fields than are read here.',
  },
  methodRefused: {
    status: 405,
    code: 'method_refused',
    title: 'Method not allowed',
    detail: 'This request method is not accepted here.',
  },
  upstreamDown: {
    status: 502,
    code: 'upstream_unavailable',
    kind: 'error',
    title: 'Bad gateway',
    detail: 'The site’s server could not be reached or gave no valid answer. Try again in a moment.',
  },
  upstreamSlow: {
    status: 504,
    code: 'upstream_timeout',
    kind: 'error',
    title: 'Gateway timeout',
    detail: 'The site’s server took too long to answer. Try again in a moment.',
  },
  loop: {
    status: 508,
    code: 'loop_detected',
    kind: 'error',
    title: 'Loop detected',
    detail: 'The site’s server leads back to this gateway. Its operator can see where.',
  },
  answerWithheld: {
    status: 502,
    code: 'answer_withheld',
    kind: 'error',
    title: 'This page is withheld',
    detail:
      'The site’s server answered with something that is not meant to be shown. Its operator can see what.',
  },
  internal: {
    status: 500,
    code: 'gateway_error',
    kind: 'error',
    title: 'Something went wrong',
    detail: 'The gateway could not process this request.',
  },
} as const satisfies Record<string, Page>;
