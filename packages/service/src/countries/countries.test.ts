import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batch, securityEvent, startService } from '../testing/index.ts';
import { openCountries } from './index.ts';
import { countryDatabase } from './testing/index.ts';

describe('countries', () => {
  let folder: string;
  let file: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'portcullis-countries-'));
    file = path.join(folder, 'countries.mmdb');
    await writeFile(
      file,
      countryDatabase({
        '192.0.2.0/24': { country: { iso_code: 'NZ' } },
        '198.51.100.0/25': { country: 'PT' },
        '198.51.100.128/25': { country_code: 'CL' },
        '203.0.113.7/32': { registered_country: { iso_code: 'KE' }, country: { names: { en: 'none' } } },
      }),
    );
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('are read from the forms in which suppliers write them, and never guessed', async () => {
    const { countryOf } = await openCountries(file);
    const asked = [
      '192.0.2.77',
      '198.51.100.1',
      '198.51.100.200',
      '203.0.113.7',
      '203.0.113.8',
      '::1',
      'nobody',
    ];
    expect(asked.map(countryOf)).toEqual(['NZ', 'PT', 'CL', 'KE', undefined, undefined, undefined]);
  });

  it('are read anew once the file was replaced, and kept where the new one is broken', async () => {
    const own = path.join(folder, 'replaced.mmdb');
    await writeFile(own, countryDatabase({ '192.0.2.0/24': { country: 'NZ' } }));
    const countries = await openCountries(own);
    await writeFile(own, countryDatabase({ '192.0.2.0/24': { country: 'AU' } }));
    await utimes(own, 1, 1);
    await countries.refresh();
    expect(countries.countryOf('192.0.2.1')).toBe('AU');
    await writeFile(own, 'no database');
    await expect(countries.refresh()).rejects.toThrow();
    expect(countries.countryOf('192.0.2.1')).toBe('AU');
  });

  it('stop the start where the file is missing or of another format', async () => {
    const bad = path.join(folder, 'bad.mmdb');
    await writeFile(bad, 'no database');
    for (const name of [bad, path.join(folder, 'none.mmdb')]) {
      await expect(openCountries(name)).rejects.toThrow(`The country database ${name} cannot be read`);
    }
  });

  it('stand in events and facets where there is a database, and nowhere without one', async () => {
    const events = ['192.0.2.1', '192.0.2.2', '198.51.100.1', '203.0.113.200'].map((clientIp) =>
      securityEvent({ clientIp }),
    );
    for (const countryDatabaseFile of [file, undefined]) {
      const service = await startService({ countryDatabaseFile });
      const token = await service.signIn();
      await service.service.controlPlane.accept(batch({ events }));
      const facets = (await service.call('GET', '/api/events/facets', undefined, token)).body;
      const page = (await service.call('GET', '/api/events?clientIp=192.0.2.1', undefined, token)).body;
      await service.stop();
      expect(facets.countries).toEqual(
        countryDatabaseFile && [
          { value: 'NZ', count: 2 },
          { value: 'PT', count: 1 },
        ],
      );
      expect(page.entries[0].country).toBe(countryDatabaseFile && 'NZ');
    }
  });
});
