import { all, any, header, path, type RuleTemplate, userAgent } from './template.ts';

const category = 'bad_bots';
const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';

/** Clients that name themselves. Who hides behind a browser's name is the bot protection's business. */
export const badBots: readonly RuleTemplate[] = [
  {
    id: 'tpl_attack_tools',
    name: 'Block attack tools by name',
    description:
      'Stops sqlmap, nikto, nuclei and their kin as long as they say who they are. Breaks your own scans; exempt their address.',
    severity: 'high',
    category,
    recommended: true,
    action: 'block',
    conditions: all(
      userAgent(
        '(sqlmap|nikto|nessus|nuclei|acunetix|netsparker|invicti|w3af|wpscan|dirbuster|gobuster|feroxbuster|ffuf|wfuzz|masscan|zgrab|nmap scripting|havij|openvas|arachni|whatweb|joomscan|jndi)',
      ),
    ),
    fires: [
      { target: '/', headers: { 'user-agent': 'sqlmap/1.8' } },
      { target: '/', headers: { 'user-agent': 'Mozilla/5.0 (compatible; Nmap Scripting Engine)' } },
    ],
    passes: [{ target: '/', headers: { 'user-agent': browser } }],
  },
  {
    id: 'tpl_script_clients',
    name: 'Challenge script clients',
    description:
      'Asks clients of common script libraries for a proof of work, which they cannot give. Breaks API clients and monitors built on them; do not apply it to an API.',
    severity: 'low',
    category,
    recommended: false,
    action: 'challenge',
    conditions: all(
      userAgent(
        '^(python-requests|python-urllib|aiohttp|httpx|go-http-client|java/|okhttp|libwww-perl|scrapy|curl/|wget/|axios/|node-fetch|undici|ruby|php/)',
      ),
    ),
    fires: [
      { target: '/', headers: { 'user-agent': 'python-requests/2.32' } },
      { target: '/', headers: { 'user-agent': 'Go-http-client/1.1' } },
    ],
    passes: [{ target: '/', headers: { 'user-agent': browser } }],
  },
  {
    id: 'tpl_empty_user_agent',
    name: 'Block empty User-Agent',
    description:
      'Stops requests whose User-Agent is there and says nothing, or is a lone dash. Browsers always say something; some monitors do not.',
    severity: 'low',
    category,
    recommended: false,
    action: 'block',
    conditions: all(userAgent(String.raw`^[\s"'.-]*$`)),
    fires: [
      { target: '/', headers: { 'user-agent': '-' } },
      { target: '/', headers: { 'user-agent': '' } },
    ],
    passes: [{ target: '/', headers: { 'user-agent': browser } }],
  },
  {
    id: 'tpl_seo_crawlers',
    name: 'Block marketing crawlers',
    description:
      'Stops crawlers of search-marketing services, which read whole sites for others. Breaks your own account with such a service.',
    severity: 'low',
    category,
    recommended: false,
    action: 'block',
    conditions: all(
      userAgent(
        '(ahrefsbot|semrushbot|mj12bot|dotbot|blexbot|dataforseobot|serpstatbot|megaindex|barkrowler|petalbot)',
      ),
    ),
    fires: [{ target: '/', headers: { 'user-agent': 'Mozilla/5.0 (compatible; AhrefsBot/7.0)' } }],
    passes: [{ target: '/', headers: { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' } }],
  },
  {
    id: 'tpl_ai_crawlers',
    name: 'Block crawlers that collect training text',
    description:
      'Stops crawlers that read pages for language models and say so. Visitors who ask an assistant about a page may be stopped with them.',
    severity: 'low',
    category,
    recommended: false,
    action: 'block',
    conditions: all(
      userAgent(
        '(gptbot|ccbot|claudebot|anthropic-ai|bytespider|amazonbot|diffbot|omgili|meta-externalagent|imagesiftbot|cohere-ai)',
      ),
    ),
    fires: [{ target: '/', headers: { 'user-agent': 'Mozilla/5.0 (compatible; GPTBot/1.2)' } }],
    passes: [{ target: '/', headers: { 'user-agent': 'Mozilla/5.0 (compatible; bingbot/2.0)' } }],
  },
  {
    id: 'tpl_headless_browsers',
    name: 'Challenge headless browsers',
    description:
      'Asks browsers that say they run without a screen for a proof of work. Breaks end-to-end tests and some link previews.',
    severity: 'low',
    category,
    recommended: false,
    action: 'challenge',
    conditions: all(userAgent('(headlesschrome|phantomjs|slimerjs|puppeteer|playwright|selenium|electron/)')),
    fires: [{ target: '/', headers: { 'user-agent': 'Mozilla/5.0 HeadlessChrome/140.0' } }],
    passes: [{ target: '/', headers: { 'user-agent': browser } }],
  },
  {
    id: 'tpl_spam_referrers',
    name: 'Block referrer spam',
    description: 'Stops visits that only want to stand in your statistics. Breaks visits from these sites.',
    severity: 'low',
    category,
    recommended: false,
    action: 'block',
    conditions: any(
      header(
        String.raw`^referer: https?://([\w-]+\.)*(semalt\.com|buttons-for-website\.com|best-seo-offer\.com|get-free-traffic-now\.com|traffic2money\.com|darodar\.com|ilovevitaly\.com)`,
      ),
    ),
    fires: [{ target: '/', headers: { referer: 'http://crawl.semalt.com/x' } }],
    passes: [{ target: '/', headers: { referer: 'https://www.example.com/' } }],
  },
  {
    id: 'tpl_old_browsers',
    name: 'Challenge browsers of another age',
    description:
      'Asks clients that claim to be Internet Explorer 4 to 8, Netscape or Windows 98 for a proof of work: nearly all are scripts. Breaks visits with such a browser, which cannot do it.',
    severity: 'low',
    category,
    recommended: false,
    action: 'challenge',
    conditions: all(
      userAgent(String.raw`(msie [2-8]\.|netscape|windows (95|98|nt 5\.0|ce)|mozilla/[1-3]\.)`),
    ),
    fires: [{ target: '/', headers: { 'user-agent': 'Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1)' } }],
    passes: [{ target: '/', headers: { 'user-agent': browser } }],
  },
  {
    id: 'tpl_scraper_robots',
    name: 'Log who reads robots.txt by script',
    description:
      'Records script clients that ask for robots.txt, without stopping them: they show who looks around. Breaks nothing.',
    severity: 'low',
    category,
    recommended: false,
    action: 'log',
    conditions: all(path(String.raw`^/robots\.txt$`), userAgent('(python|curl|wget|go-http|java/|libwww)')),
    fires: [{ target: '/robots.txt', headers: { 'user-agent': 'curl/8.9' } }],
    passes: [{ target: '/robots.txt', headers: { 'user-agent': browser } }],
  },
];
