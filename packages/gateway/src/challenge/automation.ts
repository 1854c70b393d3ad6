import type { Sensitivity } from '@portcullis/engine/vocabulary';

/** What tells a browser from a program, as far as headers show it. */
export interface ClientTraits {
  readonly userAgent: string;
  readonly httpVersion: string;
  readonly scheme: 'http' | 'https';
  /** @returns the value of a header by its lower-case name */
  header(name: string): string | undefined;
}

export interface AutomationVerdict {
  readonly score: number;
  /** one phrase a sign, for the event */
  readonly signs: readonly string[];
}

interface Sign {
  readonly points: number;
  readonly phrase: string;
  readonly shows: (traits: ClientTraits) => boolean;
}

const scanners =
  /\b(?:sqlmap|nikto|nessus|acunetix|nuclei|masscan|zgrab|wpscan|dirbuster|gobuster|feroxbuster|ffuf|hydra|arachni|w3af|havij|netsparker|qualys|openvas)\b/i;
const libraries =
  /^(?:curl|wget|python|aiohttp|httpx|go-http-client|java|okhttp|apache-httpclient|libwww|lwp|perl|ruby|php|guzzle|node|axios|undici|got|scrapy|httpie|postmanruntime|insomnia|restsharp|winhttp|mechanize)\b/i;
const headless = /\b(?:headlesschrome|phantomjs|slimerjs|puppeteer|playwright|selenium|electron|cypress)\b/i;
const selfNamed = /\b(?:bot|crawler|spider|scraper)\b|[a-z](?:bot|spider|crawler)\b/i;

const claimsBrowser = ({ userAgent }: ClientTraits) => userAgent.startsWith('Mozilla/5.0 (');
const chromeVersion = ({ userAgent }: ClientTraits) => Number(/\bChrome\/(\d+)/.exec(userAgent)?.[1] ?? 0);

const signs: readonly Sign[] = [
  { points: 10, phrase: 'names itself a scanner', shows: ({ userAgent }) => scanners.test(userAgent) },
  { points: 7, phrase: 'is a headless browser', shows: ({ userAgent }) => headless.test(userAgent) },
  { points: 6, phrase: 'sends no User-Agent', shows: ({ userAgent }) => userAgent === '' },
  { points: 6, phrase: 'is an HTTP library', shows: ({ userAgent }) => libraries.test(userAgent) },
  { points: 4, phrase: 'names itself a bot', shows: ({ userAgent }) => selfNamed.test(userAgent) },
  {
    points: 3,
    phrase: 'claims to be a browser and sends no Accept-Language',
    shows: (traits) => claimsBrowser(traits) && traits.header('accept-language') === undefined,
  },
  {
    points: 3,
    phrase: 'claims to be a browser and sends no Accept-Encoding',
    shows: (traits) => claimsBrowser(traits) && traits.header('accept-encoding') === undefined,
  },
  {
    points: 3,
    phrase: 'claims to be a browser and sends no Accept',
    shows: (traits) => claimsBrowser(traits) && traits.header('accept') === undefined,
  },
  {
    // Chrome sends them on every secure request since version 80.
    points: 4,
    phrase: 'claims to be a current Chrome and sends no Sec-Fetch headers',
    shows: (traits) =>
      traits.scheme === 'https' &&
      chromeVersion(traits) >= 80 &&
      traits.header('sec-fetch-mode') === undefined,
  },
  {
    points: 2,
    phrase: 'claims to be a browser over HTTP/1.0',
    shows: (traits) => claimsBrowser(traits) && traits.httpVersion === '1.0',
  },
];

/** Adds up what speaks for a program. Headers prove nothing: the score says whom to ask for proof. */
export function judgeAutomation(traits: ClientTraits): AutomationVerdict {
  const shown = signs.filter((sign) => sign.shows(traits));
  return {
    score: shown.reduce((sum, { points }) => sum + points, 0),
    signs: shown.map(({ phrase }) => phrase),
  };
}

/** From which score a client counts as automated. */
export const automationThreshold: Readonly<Record<Sensitivity, number>> = { low: 9, medium: 6, high: 3 };
