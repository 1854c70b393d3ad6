import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkSeclang, describeSeclang } from './index.ts';

describe('checking a directory of ModSecurity rules', () => {
  let directory = '';
  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'portcullis-seclang-'));
    await mkdir(path.join(directory, 'rules'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('counts what loads and names what does not, with file and line', async () => {
    await writeFile(path.join(directory, 'crs-setup.conf.example'), 'SecAction "id:1,phase:1,pass,nolog"');
    await writeFile(
      path.join(directory, 'rules', 'REQUEST-1.conf'),
      'SecRule ARGS "@pmFromFile words.data" "id:2,phase:2,deny"\nSecMagic On\nSecAuditEngine On\n',
    );
    await writeFile(path.join(directory, 'rules', 'words.data'), 'evil\n');
    const check = await checkSeclang(directory);
    expect(describeSeclang(check)).toEqual([
      '2 rules from 4 directives in 2 files; 1 not supported, 1 without effect here.',
      'error  rules/REQUEST-1.conf:2  SecMagic is not supported',
      "notice rules/REQUEST-1.conf:3  SecAuditEngine is decided by the gateway's own settings",
      'No rule asks for REQBODY_ERROR, so a body that can not be parsed passes, as far as it was not read.',
    ]);
  });

  it('names what is no readable file, and what the Core Rule Set lacks', async () => {
    await symlink('/dev/zero', path.join(directory, 'endless.conf'));
    await symlink(path.join(directory, 'gone'), path.join(directory, 'gone.conf'));
    await writeFile(
      path.join(directory, 'rules', 'REQUEST-901.conf'),
      'SecRule &TX:crs_setup_version "@eq 0" "id:901001,phase:1,deny"',
    );
    const { errors, advice } = await checkSeclang(directory);
    expect(errors.map(({ file, message }) => `${file} ${message}`)).toEqual([
      'endless.conf it is no file',
      expect.stringMatching(/^gone.conf it can't be read: ENOENT/),
    ]);
    expect(advice[0]).toMatch(/no crs-setup.conf/);
  });

  it('rejects where there is no such directory', async () => {
    await expect(checkSeclang(path.join(directory, 'none'))).rejects.toThrow(/ENOENT/);
  });
});
