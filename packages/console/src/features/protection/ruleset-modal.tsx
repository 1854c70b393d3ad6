import { ActionIcon, TextInput, Switch as Toggle, Tooltip } from '@mantine/core';
import type { Ruleset } from '@portcullis/contract/protection';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Switch } from '../../components/choices.tsx';
import { useConfirm } from '../../components/confirm.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../components/states.tsx';
import { messages } from '../../lib/messages/index.ts';
import { rulesetQuery, useSaveRuleset } from './protection-queries.ts';
import type { SetRule } from './ruleset-group.tsx';
import classes from './ruleset-modal.module.css';

const words = messages.protection.set;

/** Edits a ruleset: its status, and which of its rules are on or stay at all. Nothing is sent before Update. */
export function RulesetModal(props: { siteId: string; setId: string | undefined; onClose: () => void }) {
  const { setId } = props;
  const stored = useQuery({ ...rulesetQuery(setId ?? ''), enabled: setId !== undefined });
  const [draft, setDraft] = useState<Ruleset>();
  const [dirty, setDirty] = useState(false);
  const save = useSaveRuleset(props.siteId, props.onClose);
  useEffect(() => {
    // What was changed here stays, also when the set is read again meanwhile.
    if (dirty && setId !== undefined) return;
    setDirty(false);
    setDraft(setId === undefined ? undefined : stored.data);
  }, [setId, stored.data, dirty]);
  const change = (next: Ruleset) => {
    setDraft(next);
    setDirty(true);
  };
  return (
    <FormModal
      opened={setId !== undefined}
      title={words.title}
      submit={words.update}
      busyLabel={words.saving}
      busy={save.isPending}
      dirty={dirty}
      loading={!draft}
      size={620}
      onClose={props.onClose}
      onSubmit={() => draft && save.mutate(draft)}
    >
      {draft ? (
        <SetFields set={draft} onChange={change} />
      ) : stored.isError ? (
        <ErrorState title={words.loadFailed} onRetry={() => void stored.refetch()} busy={stored.isFetching} />
      ) : (
        <SkeletonRows rows={4} label={messages.common.loading} />
      )}
    </FormModal>
  );
}

function SetFields(props: { set: Ruleset; onChange: (set: Ruleset) => void }) {
  const { set, onChange } = props;
  const confirm = useConfirm();
  const replace = (rules: SetRule[]) => onChange({ ...set, rules });
  const remove = async (rule: SetRule) => {
    const agreed = await confirm({
      title: words.removeTitle,
      text: words.removeText,
      confirm: words.remove,
      destructive: true,
    });
    if (agreed) replace(set.rules.filter((other) => other.id !== rule.id));
  };
  return (
    <>
      <TextInput
        label={words.name}
        value={set.name ?? ''}
        onChange={(event) => onChange({ ...set, name: event.currentTarget.value })}
      />
      <Switch
        label={words.active}
        description={words.activeHelp}
        checked={set.status === 'active'}
        onChange={(event) => onChange({ ...set, status: event.currentTarget.checked ? 'active' : 'draft' })}
      />
      <div>
        <h3 className={classes.heading}>{words.rules}</h3>
        {set.rules.length === 0 ? <EmptyState title={words.noRules} /> : null}
        {set.rules.map((rule) => (
          <div key={rule.id} className={classes.rule}>
            <Toggle
              size="xs"
              aria-label={words.enableRule(rule.name)}
              checked={rule.enabled}
              onChange={(event) => {
                const enabled = event.currentTarget.checked;
                replace(set.rules.map((other) => (other.id === rule.id ? { ...other, enabled } : other)));
              }}
            />
            <div className={classes.words}>
              <div>{rule.name}</div>
              {rule.description ? <div className={classes.note}>{rule.description}</div> : null}
            </div>
            <Tooltip label={words.removeRule(rule.name)}>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={words.removeRule(rule.name)}
                onClick={() => void remove(rule)}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Tooltip>
          </div>
        ))}
      </div>
    </>
  );
}
