import type { LeakRule } from './rule.ts';

const key = { kind: 'private_key', severity: 'critical', secret: true } as const;

/** Keys themselves, not talk of them: the head alone stands in every tutorial. */
export const privateKeys: readonly LeakRule[] = [
  {
    ...key,
    id: 'leak-key-pem',
    message: 'private key',
    literal: 'PRIVATE KEY-----',
    pattern:
      /-----BEGIN (?:RSA |EC |DSA |OPENSSH |ENCRYPTED )?PRIVATE KEY-----(?:\s|\\[rn]|<br ?\/?>){0,8}(?:Proc-Type:|[A-Za-z0-9+/]{40})/,
  },
  {
    ...key,
    id: 'leak-key-pgp',
    message: 'PGP private key',
    literal: '-----BEGIN PGP PRIVATE KEY BLOCK-----',
    pattern: /-----BEGIN PGP PRIVATE KEY BLOCK-----[\s\S]{0,300}?[A-Za-z0-9+/]{40}/,
  },
  {
    ...key,
    id: 'leak-key-putty',
    message: 'PuTTY private key',
    literal: 'PuTTY-User-Key-File-',
    pattern: /PuTTY-User-Key-File-\d: [\w-]{3,40}\s{1,4}Encryption: /,
  },
  {
    ...key,
    id: 'leak-key-aws',
    message: 'AWS secret access key',
    literal: 'ecret',
    pattern:
      /\baws_secret_access_key["']?\s{0,4}[=:]\s{0,4}["']?(?=[A-Za-z0-9/+]{0,39}[0-9])(?=[A-Za-z0-9/+]{0,39}[a-z])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/i,
  },
];
