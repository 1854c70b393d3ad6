import { describe, expect, it } from 'vitest';
import { atOnce } from '../steps.ts';
import { snapshot } from '../testing/index.ts';
import { readSnapshot, SoundSites } from './read-snapshot.ts';

/** As two sites come off the link: nothing of one is the same object as anything of the other. */
function received(second: object = {}) {
  const site = (number: number) => ({
    id: `s${number}`,
    name: `Site ${number}`,
    domains: [`s${number}.example.com`],
    backend_url: 'http://127.0.0.1:9',
  });
  const made = snapshot({ version: 1, sites: [site(1), { ...site(2), ...second }] });
  return JSON.parse(JSON.stringify(made)) as { sites: Record<string, unknown>[] };
}

function read(from: unknown, sound = new SoundSites()) {
  const result = atOnce(readSnapshot(from, sound));
  if (!result.success) throw new Error(JSON.stringify(result.issues));
  return result.data.sites;
}

describe('sites off the link', () => {
  it('are held once, with what they have alike', () => {
    const came = received();
    const [one, two] = read(came);
    expect(one).toBe(came.sites[0]);
    expect(two?.cors).toBe(one?.cors);
    expect(two).toEqual(received().sites[1]);
  });

  it('keep what is different', () => {
    const came = received({ security_level: 'high', allowed_methods: ['GET'] });
    const expected = structuredClone(came.sites);
    expect(read(came)).toEqual(expected);
  });

  it('are read again and without what this version does not know where they say more', () => {
    const came = received();
    Object.assign(came.sites[1] ?? {}, { aFieldOfTomorrow: 1 });
    const sound = new SoundSites();
    for (const sites of [read(came, sound), read(came, sound)])
      expect(sites[1]).not.toHaveProperty('aFieldOfTomorrow');
  });

  it('are looked at for as long as they are not sound', () => {
    const came = received();
    Object.assign(came.sites[1] ?? {}, { backend_url: 'no address' });
    const sound = new SoundSites();
    for (const _ of [1, 2]) expect(() => read(came, sound)).toThrow(/backend_url/);
  });
});
