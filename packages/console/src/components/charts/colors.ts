/** What a line on a chart shows; the same thing wears the same colour everywhere. */
export type SeriesTone = 'requests' | 'blocked' | 'challenged' | 'cpu' | 'memory' | 'disk';

const variables: Record<SeriesTone, string> = {
  requests: '--pc-accent',
  blocked: '--pc-chart-blocked',
  challenged: '--pc-chart-challenged',
  cpu: '--pc-accent',
  memory: '--pc-chart-second',
  disk: '--pc-faint',
};

/** @returns the colour of a tone in the theme that is drawn now; a canvas cannot read CSS variables */
export function toneColor(tone: SeriesTone): string {
  return cssColor(variables[tone]);
}

/** @returns the present value of a CSS variable of the palette */
export function cssColor(variable: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
}
