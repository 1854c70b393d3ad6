import { adminAreas } from './admin-areas.ts';
import { apiHygiene } from './api-hygiene.ts';
import { badBots } from './bad-bots.ts';
import { exposedFiles } from './exposed-files.ts';
import { knownExploits } from './known-exploits.ts';
import type { RuleTemplate } from './template.ts';
import { wordpress } from './wordpress.ts';

export { copyOf, presentTemplate, type RuleTemplate, type TemplateExample } from './template.ts';

/** Every template, the ones that nearly every site needs first. */
export const templates: readonly RuleTemplate[] = [
  ...exposedFiles,
  ...adminAreas,
  ...knownExploits,
  ...wordpress,
  ...badBots,
  ...apiHygiene,
];

const byId = new Map(templates.map((template) => [template.id, template]));

export function findTemplate(id: string): RuleTemplate | undefined {
  return byId.get(id);
}
