import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type MadeCertificate, selfSigned } from '../testing/index.ts';
import { checkUpload } from './check-upload.ts';

const now = Date.now();
const dayMs = 86_400_000;
const domains = ['shop.example.com', 'www.shop.example.com'];

describe('an uploaded certificate', () => {
  let authority: MadeCertificate;
  let leaf: MadeCertificate;
  beforeAll(async () => {
    authority = await selfSigned([], { authority: true });
    leaf = await selfSigned(domains, { signedBy: authority.signer });
  });
  const check = (certificate: string, privateKey: string, of = domains) =>
    checkUpload({ certificate, privateKey }, { domains: of, now }).map(
      ({ path, message }) => `${path}: ${message}`,
    );

  it('is taken with its chain, its key and all names', () => {
    expect(check(leaf.certificate + authority.certificate, leaf.privateKey)).toEqual([]);
    expect(check(leaf.certificate, leaf.privateKey)).toEqual([]);
    expect(check(leaf.certificate, leaf.privateKey, [...domains, '*'])).toEqual([]);
  });

  it('is taken where a wildcard covers the names, one label deep', async () => {
    const wild = await selfSigned(['*.example.com']);
    expect(check(wild.certificate, wild.privateKey, ['shop.example.com', '*.example.com'])).toEqual([]);
    expect(check(wild.certificate, wild.privateKey, ['a.b.example.com', 'example.com'])).toEqual([
      'certificate: The certificate is for *.example.com, not for a.b.example.com, example.com',
    ]);
  });

  it('is told all that is wrong with it at once', async () => {
    const other = await selfSigned(['blog.example.com'], { from: now - 9 * dayMs, until: now - dayMs });
    const issues = check(other.certificate + leaf.certificate, leaf.privateKey);
    expect(issues).toEqual([
      'privateKey: The private key does not belong to the certificate',
      'certificate: Certificate 2 of the chain did not sign the one before it; the leaf comes first',
      expect.stringContaining('certificate: The certificate expired on '),
      'certificate: The certificate is for blog.example.com, not for shop.example.com, www.shop.example.com',
    ]);
  });

  it('is refused before its time, and without a name', async () => {
    const early = await selfSigned(domains, { from: now + dayMs });
    expect(check(early.certificate, early.privateKey)[0]).toContain('is not valid before');
    const nameless = await selfSigned([]);
    expect(check(nameless.certificate, nameless.privateKey)[0]).toContain('names no domain');
  });

  it('is refused with the authority in front', () => {
    expect(check(authority.certificate + leaf.certificate, authority.privateKey)).toContain(
      'certificate: The first certificate is an authority; the leaf comes first',
    );
  });

  it('is refused with text that is neither, said of both', () => {
    expect(check('hello', 'world')).toEqual([
      'certificate: There is no PEM certificate in the text',
      'privateKey: The private key cannot be read as PEM',
    ]);
    expect(check(leaf.certificate, leaf.certificate)).toEqual([
      'privateKey: This is a certificate, not a private key',
    ]);
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const locked = privateKey.export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'x',
    });
    expect(check(leaf.certificate, locked.toString())).toEqual([
      'privateKey: The private key is encrypted; decrypt it first',
    ]);
  });

  it('is refused with a key of a kind that no browser knows', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const odd = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    expect(check(leaf.certificate, odd)[0]).toBe('privateKey: Browsers know RSA and EC keys, not ed25519');
  });

  it('is refused with a key that browsers find too weak', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const weak = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    expect(check(leaf.certificate, weak)[0]).toBe(
      'privateKey: The key has 1024 bits; browsers ask for 2048 or more',
    );
  });

  it('is refused where it, or an authority on the way, is signed with a hash that was broken', async () => {
    const old = await selfSigned([], { authority: true, hash: 'SHA-1' });
    const between = await selfSigned([], { authority: true, signedBy: old.signer, hash: 'SHA-1' });
    const made = await selfSigned(domains, { signedBy: between.signer });
    const refused = 'of the chain is signed with SHA1, which browsers refuse';
    expect(check(made.certificate + between.certificate, made.privateKey)).toContain(
      `certificate: Certificate 2 ${refused}`,
    );
    const weak = await selfSigned(domains, { signedBy: authority.signer, hash: 'SHA-1' });
    expect(check(weak.certificate, weak.privateKey)).toEqual([`certificate: Certificate 1 ${refused}`]);
    // What an authority says of itself, nobody asks.
    const fine = await selfSigned(domains, { signedBy: old.signer });
    expect(check(fine.certificate + old.certificate, fine.privateKey)).toEqual([]);
  });
});
