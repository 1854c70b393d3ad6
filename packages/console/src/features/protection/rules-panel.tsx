import { Button } from '@mantine/core';
import { IconPlus, IconShieldPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Panel } from '../../components/panel.tsx';
import { Allowed } from '../../components/permission-gate.tsx';
import { EmptyState, ErrorState, SkeletonRows, Stale } from '../../components/states.tsx';
import { messages } from '../../lib/messages/index.ts';
import { usePermission } from '../../lib/session/index.ts';
import { rulesetsQuery } from './protection-queries.ts';
import { RuleModal } from './rule-modal.tsx';
import type { SetRule } from './ruleset-group.tsx';
import { RulesetGroup } from './ruleset-group.tsx';
import { RulesetModal } from './ruleset-modal.tsx';

const words = messages.protection;

/**
 * Every ruleset of the site with its rules, and the dialogs that change them.
 * @param props.ruleId the rule to open at first, for who may change it
 */
export function RulesPanel(props: { siteId: string; ruleId: string | undefined }) {
  const { siteId } = props;
  const sets = useQuery(rulesetsQuery(siteId));
  const [rule, setRule] = useState<SetRule | 'new'>();
  const [setId, setSetId] = useState<string>();
  const mayEdit = usePermission('rule:update');
  const [toOpen, setToOpen] = useState(mayEdit ? props.ruleId : undefined);
  if (toOpen !== undefined && sets.data) {
    setRule(sets.data.flatMap(({ rules }) => rules).find(({ id }) => id === toOpen));
    setToOpen(undefined);
  }
  const add = (
    <Allowed anyOf={['rule:create']}>
      <Button size="xs" leftSection={<IconPlus size={15} />} onClick={() => setRule('new')}>
        {words.addRule}
      </Button>
    </Allowed>
  );
  return (
    <Panel title={words.rules} flush actions={add}>
      {sets.data ? (
        <Stale since={sets.isError ? sets.dataUpdatedAt : undefined}>
          {sets.data.length === 0 ? (
            <EmptyState icon={IconShieldPlus} title={words.noRules} text={words.noRulesText} />
          ) : (
            sets.data.map((set) => (
              <RulesetGroup
                key={set.id}
                siteId={siteId}
                set={set}
                onEditSet={() => setSetId(set.id)}
                onEditRule={setRule}
              />
            ))
          )}
        </Stale>
      ) : sets.isError ? (
        <ErrorState title={words.loadFailed} busy={sets.isFetching} onRetry={() => void sets.refetch()} />
      ) : (
        <SkeletonRows rows={5} label={messages.common.loading} />
      )}
      <RuleModal siteId={siteId} rule={rule} onClose={() => setRule(undefined)} />
      <RulesetModal siteId={siteId} setId={setId} onClose={() => setSetId(undefined)} />
    </Panel>
  );
}
