import type { Rule } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import { patternRule } from '../define.ts';

const category = 'path_traversal' as const;

/** Scanners and tools for exploits, by what they say of themselves. */
export const toolRules: readonly Rule[] = [
  patternRule({
    id: 'probe-tool',
    category,
    message: 'A scanner or exploit tool by its own name',
    targets: [
      { part: 'header', name: 'user-agent' },
      { part: 'header', name: 'x-scanner' },
    ],
    pattern: verbose('i')`
      \b(?:
        sqlmap|nikto|nessus|openvas|acunetix|netsparker|invicti|nuclei|wpscan|joomscan|dirbuster|gobuster
        |feroxbuster|dirsearch|ffuf|wfuzz|masscan|zgrab|zmeu|nmap(?:\s|$)|nmap scripting|hydra|medusa|w3af|arachni
        |skipfish|havij|pangolin|sqlninja|absinthe|jaeles|xray\/|fuzz faster|xspider|bbscan|tplmap|xsstrike|ghauri
        |kiterunner|katana\/|dalfox|crlfuzz|naabu|subfinder|rustscan|wapiti|sn1per|burp(?:collaborator|suite)?
        |zaproxy|whatweb|morfeus|jorgee|muieblackcat|commix|xsser|vega\/|appscan|webinspect|qualys|fimap|grendel
        |paros|brutus|metasploit|hello, ?world|goby|fscan|projectdiscovery|interactsh|antsword|behinder|godzilla
        |webshag|l9explore|leakix|censysinspect|expanse|internetmeasurement|shodan
      )\b
    `,
  }),
  patternRule({
    id: 'probe-tool-header',
    category,
    message: 'A header that scanners announce themselves with',
    targets: [{ part: 'header', of: 'names' }],
    pattern: /^acunetix-/i,
  }),
  patternRule({
    id: 'probe-tool-mark',
    category,
    message: 'A mark that scanners put into what they send',
    pattern: verbose('i')`
      acunetix[-_ ]?(?:product|wvs|test|user|scanning)
      |\bwvstest
      |\bnessus_is_probing
      |netsparker
      |\bnessus\w{0,10}\.(?:nasl|html|txt)
      |\.nasl\b
      |\bappscan_fingerprint
      |\bburpcollaborator\.net
      |\boastify\.com
      |\binteract\.sh\b
      |\boast\.(?:pro|live|site|online|fun|me)\b
      |\bceye\.io\b
      |\bdnslog\.(?:cn|link)\b
      |\bbxss\.me
      |\bxss\.ht\b
      |\bwebhook\.site\/[0-9a-f-]{36}
      |\brequestbin
      |\bpingb\.in
      |\bburp-collaborator-subdomain
      |\bpipedream\.net
      |\bnuclei-test
      |\bproject_?discovery\b
      |\bevil\.(?:com|example)\/(?:shell|evil)
      |\bxsshunter\b
      |'';!--\x22<\w{1,20}>=&\{\(\)\}
    `,
  }),
];
