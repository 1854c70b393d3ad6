import { CheckboxGroup, MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Badge } from '../../components/badge.tsx';
import { Checkbox } from '../../components/choices.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../components/states.tsx';
import { categoryLabel } from '../../lib/messages/categories.ts';
import { messages } from '../../lib/messages/index.ts';
import { siteLabel, sitesQuery } from '../../lib/queries/index.ts';
import { rulesetsQuery, templatesQuery } from './protection-queries.ts';
import classes from './template-list.module.css';

const words = messages.protection.modal;
const sitesOffered = 50;

/** Which templates are to be copied, and to which sites. */
export interface TemplateChoice {
  readonly siteIds: string[];
  readonly ruleIds: string[];
}

interface Props {
  choice: TemplateChoice;
  onChange: (choice: TemplateChoice) => void;
}

/** Sites and templates to choose; what the service recommends says so, and what the sites have already. */
export function TemplateList(props: Props) {
  const { choice, onChange } = props;
  const templates = useQuery(templatesQuery);
  const applied = useApplied(choice.siteIds);
  if (!templates.data) {
    return templates.isError ? (
      <ErrorState title={words.templatesFailed} onRetry={() => void templates.refetch()} />
    ) : (
      <SkeletonRows rows={4} label={messages.common.loading} />
    );
  }
  if (templates.data.length === 0) return <EmptyState title={words.noTemplates} />;
  return (
    <>
      <Sites {...props} />
      <CheckboxGroup
        value={choice.ruleIds}
        onChange={(ruleIds) => onChange({ ...choice, ruleIds })}
        aria-label={words.templates}
      >
        <div className={classes.list}>
          {templates.data.map((template) => (
            <div key={template.id} className={classes.template}>
              <Checkbox
                className={classes.check}
                value={template.id}
                label={template.name}
                description={template.description}
              />
              <div className={classes.badges}>
                <Standing
                  on={applied.get(template.id) ?? 0}
                  of={choice.siteIds.length}
                  recommended={template.enabled}
                />
                <Badge tone="neutral">{categoryLabel(template.category)}</Badge>
                <Badge tone="neutral">{words.severities[template.severity] ?? template.severity}</Badge>
              </div>
            </div>
          ))}
        </div>
      </CheckboxGroup>
    </>
  );
}

/** To which sites. Whoever has one alone is not asked. */
function Sites({ choice, onChange }: Props) {
  const sites = useQuery(sitesQuery).data ?? [];
  if (sites.length < 2) return null;
  return (
    <MultiSelect
      className={classes.sites}
      label={words.applyTo}
      {...(choice.siteIds.length > 1 ? { description: words.applyToSeveral } : {})}
      searchable
      limit={sitesOffered}
      data={sites.map((site) => ({ value: site.id, label: siteLabel(site) }))}
      value={choice.siteIds}
      onChange={(siteIds) => onChange({ ...choice, siteIds })}
    />
  );
}

function Standing(props: { on: number; of: number; recommended: boolean }) {
  const { on, of } = props;
  if (on > 0) return <Badge tone="ok">{on === of ? words.applied : words.appliedOn(on, of)}</Badge>;
  return props.recommended ? <Badge tone="accent">{words.recommended}</Badge> : null;
}

/** On how many of the sites each template is; applying it to a single one again would copy it a second time. */
function useApplied(siteIds: readonly string[]): ReadonlyMap<string, number> {
  const [only, ...others] = siteIds;
  const { data } = useQuery(rulesetsQuery(others.length === 0 ? only : undefined));
  const sitesOf = new Map<string, Set<string>>();
  for (const { siteId = only ?? '', rules } of data ?? []) {
    if (!siteIds.includes(siteId)) continue;
    for (const { templateId } of rules) {
      if (templateId !== undefined)
        sitesOf.set(templateId, (sitesOf.get(templateId) ?? new Set()).add(siteId));
    }
  }
  return new Map([...sitesOf].map(([templateId, sites]) => [templateId, sites.size]));
}
