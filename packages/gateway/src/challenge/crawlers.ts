/** A search engine's crawler and the names that its addresses resolve to, by its operator's documentation. */
export interface Crawler {
  readonly name: string;
  readonly userAgent: RegExp;
  /** host names end in one of these */
  readonly domains: readonly string[];
}

/** Crawlers whose operators document reverse DNS as the way to verify them. */
export const crawlers: readonly Crawler[] = [
  {
    name: 'Google',
    userAgent: /\b(?:Googlebot|Google-InspectionTool|GoogleOther|Storebot-Google|AdsBot-Google)\b/i,
    // Not googleusercontent.com: machines that anybody rents have names there that resolve both ways.
    domains: ['.googlebot.com', '.google.com'],
  },
  { name: 'Bing', userAgent: /\b(?:bingbot|adidxbot|BingPreview|msnbot)\b/i, domains: ['.search.msn.com'] },
  { name: 'Apple', userAgent: /\bApplebot\b/i, domains: ['.applebot.apple.com'] },
  {
    name: 'Yandex',
    // Its browser and its app on people’s telephones say Yandex too.
    userAgent: /\bcompatible; Yandex\w*\//i,
    domains: ['.yandex.ru', '.yandex.net', '.yandex.com'],
  },
  { name: 'Baidu', userAgent: /\bBaiduspider\b/i, domains: ['.baidu.com', '.baidu.jp'] },
  { name: 'Yahoo', userAgent: /\bSlurp\b/i, domains: ['.crawl.yahoo.net'] },
  { name: 'Seznam', userAgent: /\bSeznamBot\b/i, domains: ['.seznam.cz'] },
  { name: 'Pinterest', userAgent: /\bPinterestbot\b/i, domains: ['.pinterest.com'] },
];

/** @returns the crawler that a User-Agent claims to be */
export const claimedCrawler = (userAgent: string): Crawler | undefined =>
  crawlers.find((crawler) => crawler.userAgent.test(userAgent));
