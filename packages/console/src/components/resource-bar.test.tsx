import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ResourceBar } from './resource-bar.tsx';

it.each([
  [0, 'fine'],
  [75, 'fine'],
  [75.1, 'warn'],
  [90, 'warn'],
  [90.1, 'alarm'],
  [100, 'alarm'],
])('turns yellow above 75 % and red above 90 %: %d is %s', (percent, level) => {
  const markup = renderToStaticMarkup(<ResourceBar percent={percent} label="Disk Usage" />);
  expect(markup).toContain(`data-level="${level}"`);
  expect(markup).toContain(`value="${percent}"`);
});
