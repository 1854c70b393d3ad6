import { verbose } from '../../verbose.ts';
import { type Build, built } from './operator.ts';

/** `@validateUrlEncoding`: a percent sign that two hexadecimal digits do not follow. */
export const validateUrlEncoding: Build = () =>
  built((text) => {
    if (!text.includes('%')) return undefined;
    const found = /%(?![0-9a-fA-F]{2}).{0,2}/s.exec(text);
    return found ? [found[0]] : undefined;
  });

const wellFormed = verbose()`
  ^(?:
    [\x00-\x7f]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}
    |\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}
    |\xf4[\x80-\x8f][\x80-\xbf]{2}
  )*$
`;

/** `@validateUtf8Encoding`: bytes that are no well-formed UTF-8. @see RFC 3629 §4 */
export const validateUtf8Encoding: Build = () =>
  built((text) => {
    if (!/[\x80-\xff]/.test(text)) return undefined;
    return wellFormed.test(text) ? undefined : [text];
  });
