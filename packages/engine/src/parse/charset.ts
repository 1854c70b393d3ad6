import { verbose } from '../verbose.ts';

/** The code pages of IBM that are EBCDIC, by the names that registries and platforms know. */
const ebcdic = verbose('i')`
  charset\s*=\s*["']?(?:x-)?(?:
    ebcdic
    |(?:ibm|cp|ccsid)[-_]?0*(?:
        37|27[3-8]|28[0457]|29[07]|42[0-4]|500|8(?:33|36|38|7[015]|80)|9(?:05|18|24)|10(?:25|26|47)|11[1-5]\d
      )\b
  )
`;

/**
 * Whether a type names a character set in which letters are other bytes than in ASCII, which some platforms undo and no
 * rule sees through. Browsers send none, and UTF-16 is decoded.
 * @see IANA character sets
 */
export function isBeyondAscii(contentType: string): boolean {
  return ebcdic.test(contentType);
}
