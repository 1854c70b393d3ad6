import { ActionIcon, Switch, Tooltip } from '@mantine/core';
import type { Ruleset } from '@portcullis/contract/protection';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Tone } from '../../components/badge.tsx';
import { Badge } from '../../components/badge.tsx';
import { useConfirm } from '../../components/confirm.tsx';
import { Allowed } from '../../components/permission-gate.tsx';
import { categoryLabel } from '../../lib/messages/categories.ts';
import { messages } from '../../lib/messages/index.ts';
import { usePermission } from '../../lib/session/index.ts';
import { useDeleteRuleset, useSetStatus } from './protection-queries.ts';
import classes from './ruleset-group.module.css';

const words = messages.protection;
const statusTones: Record<string, Tone> = { active: 'ok', draft: 'warning' };
const severityTones: Record<string, Tone> = { critical: 'danger', high: 'warning', medium: 'info' };

/** A rule as it stands in a ruleset. */
export type SetRule = Ruleset['rules'][number];

/** One ruleset: its state and its rules. */
export function RulesetGroup(props: {
  siteId: string;
  set: Ruleset;
  onEditSet: () => void;
  onEditRule: (rule: SetRule) => void;
}) {
  const { set, siteId } = props;
  const name = set.name || words.unnamedSet;
  const setStatus = useSetStatus(siteId);
  const mayEdit = usePermission('rule:update');
  return (
    <section className={classes.group} aria-label={name}>
      <div className={classes.head}>
        <Switch
          aria-label={words.toggleSet(name)}
          checked={set.status === 'active'}
          disabled={!mayEdit || setStatus.isPending}
          onChange={(event) => setStatus.mutate({ id: set.id, active: event.currentTarget.checked })}
        />
        <div className={classes.words}>
          <div className={classes.titleLine}>
            <h3 className={classes.title}>{name}</h3>
            <Badge tone={statusTones[set.status] ?? 'neutral'}>
              {words.statuses[set.status] ?? set.status}
            </Badge>
          </div>
          <span className={classes.note}>
            {words.version(String(set.version))} · {words.ruleCount(set.rules.length)}
          </span>
        </div>
        <SetActions {...props} name={name} />
      </div>
      {set.rules.map((rule) => (
        <RuleRow key={rule.id} siteId={siteId} rule={rule} onEdit={() => props.onEditRule(rule)} />
      ))}
    </section>
  );
}

function SetActions(props: { siteId: string; set: Ruleset; name: string; onEditSet: () => void }) {
  const { set, name } = props;
  const confirm = useConfirm();
  const remove = useDeleteRuleset(props.siteId);
  const ask = async () => {
    const agreed = await confirm({
      title: words.deleteSetTitle(name),
      text: words.deleteSetText(set.rules.length),
      confirm: words.deleteSetConfirm,
      destructive: true,
    });
    if (agreed) remove.mutate(set.id);
  };
  return (
    <div className={classes.actions}>
      <Allowed anyOf={['rule:update']}>
        <IconAction label={words.editSet(name)} onClick={props.onEditSet} icon={<IconPencil size={16} />} />
      </Allowed>
      <Allowed anyOf={['rule:delete']}>
        <IconAction
          label={words.deleteSet(name)}
          onClick={() => void ask()}
          disabled={remove.isPending}
          icon={<IconTrash size={16} />}
        />
      </Allowed>
    </div>
  );
}

function IconAction(props: { label: string; icon: ReactNode; disabled?: boolean; onClick: () => void }) {
  return (
    <Tooltip label={props.label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={props.label}
        disabled={props.disabled ?? false}
        onClick={props.onClick}
      >
        {props.icon}
      </ActionIcon>
    </Tooltip>
  );
}

function RuleRow(props: { siteId: string; rule: SetRule; onEdit: () => void }) {
  const { rule } = props;
  const setStatus = useSetStatus(props.siteId);
  const mayEdit = usePermission('rule:update');
  const active = rule.enabled && rule.status !== 'inactive';
  return (
    <div className={classes.rule} data-off={!active || undefined}>
      <Switch
        size="xs"
        aria-label={words.toggleRule(rule.name)}
        checked={active}
        disabled={!mayEdit || setStatus.isPending}
        onChange={(event) => setStatus.mutate({ id: rule.id, active: event.currentTarget.checked })}
      />
      <div className={classes.words}>
        <div className={classes.ruleName}>{rule.name}</div>
        {rule.description ? <div className={classes.note}>{rule.description}</div> : null}
      </div>
      <div className={classes.badges}>
        {rule.type ? <Badge tone="neutral">{categoryLabel(rule.type)}</Badge> : null}
        {rule.severity ? (
          <Badge tone={severityTones[rule.severity] ?? 'neutral'} icon={false}>
            {words.modal.severities[rule.severity]}
          </Badge>
        ) : null}
        {rule.action ? <Badge tone="neutral">{words.modal.actions[rule.action]}</Badge> : null}
      </div>
      <Allowed anyOf={['rule:update']}>
        <IconAction
          label={words.editRule(rule.name)}
          onClick={props.onEdit}
          icon={<IconPencil size={16} />}
        />
      </Allowed>
    </div>
  );
}
