import { CheckboxGroup } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Badge } from '../../components/badge.tsx';
import { Checkbox } from '../../components/choices.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../components/states.tsx';
import { categoryLabel } from '../../lib/messages/categories.ts';
import { messages } from '../../lib/messages/index.ts';
import { rulesetsQuery, templatesQuery } from './protection-queries.ts';
import classes from './template-list.module.css';

const words = messages.protection.modal;

/** Templates to choose from; what the service recommends says so, and what the site has already. */
export function TemplateList(props: { siteId: string; chosen: string[]; onChange: (ids: string[]) => void }) {
  const templates = useQuery(templatesQuery);
  const applied = useApplied(props.siteId);
  if (!templates.data) {
    return templates.isError ? (
      <ErrorState title={words.templatesFailed} onRetry={() => void templates.refetch()} />
    ) : (
      <SkeletonRows rows={4} label={messages.common.loading} />
    );
  }
  if (templates.data.length === 0) return <EmptyState title={words.noTemplates} />;
  return (
    <CheckboxGroup value={props.chosen} onChange={props.onChange} aria-label={words.templates}>
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
              {applied.has(template.id) ? (
                <Badge tone="ok">{words.applied}</Badge>
              ) : template.enabled ? (
                <Badge tone="accent">{words.recommended}</Badge>
              ) : null}
              <Badge tone="neutral">{categoryLabel(template.category)}</Badge>
              <Badge tone="neutral">{words.severities[template.severity] ?? template.severity}</Badge>
            </div>
          </div>
        ))}
      </div>
    </CheckboxGroup>
  );
}

/** Applying one again would copy it a second time. */
function useApplied(siteId: string): ReadonlySet<string> {
  const { data } = useQuery(rulesetsQuery(siteId));
  return new Set(data?.flatMap(({ rules }) => (rules ?? []).flatMap(({ templateId }) => templateId ?? [])));
}
