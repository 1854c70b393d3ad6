import type { ReactElement } from 'react';
import { cloneElement } from 'react';
import { usePreferences } from '../lib/preferences/index.ts';

/** A name on hover for a button that shows an icon alone, unless the user turned tooltips off. */
export function Hint(props: { label: string; children: ReactElement<{ title?: string }> }) {
  const { display } = usePreferences();
  return display.show_tooltips ? cloneElement(props.children, { title: props.label }) : props.children;
}
