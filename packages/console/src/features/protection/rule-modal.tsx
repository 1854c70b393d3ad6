import { Tabs } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { fieldErrorsOf } from '../../components/form-errors.ts';
import { FormModal } from '../../components/form-modal.tsx';
import { toast } from '../../components/toast.ts';
import { messages } from '../../lib/messages/index.ts';
import { usePermission } from '../../lib/session/index.ts';
import { useApplyTemplates } from './apply-templates.ts';
import { CustomRuleFields } from './custom-rule-fields.tsx';
import { useSaveRule } from './protection-queries.ts';
import type { RuleValues } from './rule-values.ts';
import { newRuleValues, ruleProblems, storedRuleValues } from './rule-values.ts';
import type { SetRule } from './ruleset-group.tsx';
import { type TemplateChoice, TemplateList } from './template-list.tsx';
import { TemplateOutcomes } from './template-outcomes.tsx';

const words = messages.protection.modal;

interface Props {
  siteId: string;
  /** the rule to edit, `new` to add one, undefined while closed */
  rule: SetRule | 'new' | undefined;
  onClose: () => void;
}

/** Adds rules, from templates or of one's own, or edits one. */
export function RuleModal(props: Props) {
  const { rule } = props;
  const mayCreate = usePermission('rule:create');
  const [tab, setTab] = useState('templates');
  const templates = useTemplateChoice(props);
  const custom = useCustomRule(props);
  const editing = rule !== undefined && rule !== 'new';
  const onTemplates = !editing && tab === 'templates' && mayCreate;
  const part = onTemplates ? templates : custom;
  return (
    <FormModal
      opened={rule !== undefined}
      title={editing ? words.editTitle : words.addTitle}
      submit={onTemplates ? templates.submitWord : editing ? words.update : words.create}
      busyLabel={words.saving}
      busy={templates.busy || custom.busy}
      dirty={part.dirty}
      size={760}
      onClose={props.onClose}
      onSubmit={part.submit}
    >
      {editing ? (
        <CustomRuleFields form={custom.form} />
      ) : templates.outcomes ? (
        <TemplateOutcomes outcomes={templates.outcomes} />
      ) : (
        <Tabs value={tab} onChange={(value) => setTab(value ?? 'templates')}>
          <Tabs.List mb="md">
            <Tabs.Tab value="templates">{words.templates}</Tabs.Tab>
            <Tabs.Tab value="custom">{words.custom}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="templates">
            <TemplateList choice={templates.choice} onChange={templates.setChoice} />
          </Tabs.Panel>
          <Tabs.Panel value="custom">
            <CustomRuleFields form={custom.form} />
          </Tabs.Panel>
        </Tabs>
      )}
    </FormModal>
  );
}

function useTemplateChoice(props: Props) {
  const { siteId, onClose } = props;
  const [choice, setChoice] = useState<TemplateChoice>({ siteIds: [siteId], ruleIds: [] });
  const { outcomes, busy, apply, forget } = useApplyTemplates(onClose);
  const closed = props.rule === undefined;
  useEffect(() => {
    if (!closed) return;
    setChoice({ siteIds: [siteId], ruleIds: [] });
    forget();
  }, [closed, siteId, forget]);
  const failed = outcomes?.filter(({ state }) => state === 'failed').map((one) => one.siteId) ?? [];
  return {
    choice,
    setChoice,
    outcomes,
    busy,
    dirty: outcomes === undefined && choice.ruleIds.length > 0,
    submitWord: outcomes === undefined ? words.apply : failed.length > 0 ? words.applyAgain : words.done,
    submit: () => {
      if (outcomes !== undefined && failed.length === 0) onClose();
      else if (outcomes !== undefined) apply({ ...choice, siteIds: failed });
      else if (choice.siteIds.length === 0) toast.error(words.selectSites);
      else if (choice.ruleIds.length === 0) toast.error(words.selectTemplate);
      else apply(choice);
    },
  };
}

function useCustomRule(props: Props) {
  const { rule } = props;
  const form = useForm<RuleValues>({ initialValues: newRuleValues(), validate: ruleProblems });
  const [shown, setShown] = useState<Props['rule']>();
  const save = useSaveRule(props.siteId, props.onClose, (error) => form.setErrors(fieldErrorsOf(error)));
  useEffect(() => {
    if (rule === shown) return;
    setShown(rule);
    if (rule === undefined) return;
    const start = rule === 'new' ? newRuleValues() : storedRuleValues(rule);
    form.setInitialValues(start);
    form.reset();
  }, [rule, shown, form]);
  const id = rule === undefined || rule === 'new' ? undefined : rule.id;
  return {
    form,
    busy: save.isPending,
    dirty: form.isDirty(),
    submit: () => form.onSubmit((values) => save.mutate({ id, values }))(),
  };
}
