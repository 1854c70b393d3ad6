// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { beforeEach, expect, it } from 'vitest';
import { DataTable } from './data-table.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

let root: Root;
const columns = [{ key: 'name', header: 'Name', cell: (row: string) => row }];
const draw = (rows: readonly string[]) =>
  act(async () =>
    root.render(
      <MantineProvider>
        <DataTable label="Names" columns={columns} rows={rows} rowKey={(row) => row} />
      </MantineProvider>,
    ),
  );
const drawn = () => document.querySelectorAll('tbody tr').length;
const more = () => document.querySelector('button');

beforeEach(() => {
  document.body.replaceChildren();
  root = createRoot(document.body.appendChild(document.createElement('div')));
});

it('draws ten thousand rows a hundred at a time', async () => {
  await draw(Array.from({ length: 10_000 }, (_, index) => `Site ${index}`));
  expect(drawn()).toBe(100);
  expect(document.body.textContent).toContain('100 of 10,000 shown');
  await act(async () => more()?.click());
  expect(drawn()).toBe(200);
  await draw(['found', 'by', 'typing']);
  expect(drawn()).toBe(3);
  expect(more()).toBeNull();
});

it('shows what an attacker wrote as text', async () => {
  await draw(['<img src=x onerror="alert(1)">', '\u202Egnp.exe', '=HYPERLINK("http://x")']);
  expect(document.querySelector('img')).toBeNull();
  expect([...document.querySelectorAll('td')].map(({ textContent }) => textContent)).toEqual([
    '<img src=x onerror="alert(1)">',
    '\u202Egnp.exe',
    '=HYPERLINK("http://x")',
  ]);
});
