import { Select, Textarea, TextInput } from '@mantine/core';
import { ruleTypes } from '@portcullis/contract/protection';
import { ruleActions, severities } from '@portcullis/contract/vocabulary';
import { Switch } from '../../components/choices.tsx';
import { categoryLabel } from '../../lib/messages/categories.ts';
import { messages } from '../../lib/messages/index.ts';
import { ConditionBuilder } from './condition-builder.tsx';
import classes from './custom-rule-fields.module.css';
import type { RuleForm } from './rule-values.ts';

const words = messages.protection.modal;

/** The fields of a rule of one's own. */
export function CustomRuleFields(props: { form: RuleForm }) {
  const { form } = props;
  return (
    <div className={classes.fields}>
      <TextInput label={words.name} required {...form.getInputProps('name')} />
      <Textarea label={words.description} autosize minRows={2} {...form.getInputProps('description')} />
      <ConditionBuilder form={form} />
      <div className={classes.row}>
        <Select
          label={words.type}
          description={words.typeHelp}
          data={ruleTypes.map((value) => ({ value, label: categoryLabel(value) }))}
          {...form.getInputProps('type')}
        />
        <Select
          label={words.action}
          description={words.actionHelp}
          data={ruleActions.map((value) => ({ value, label: words.actions[value] }))}
          {...form.getInputProps('action')}
        />
        <Select
          label={words.severity}
          description={words.severityHelp}
          data={severities.map((value) => ({ value, label: words.severities[value] }))}
          {...form.getInputProps('severity')}
        />
      </div>
      {form.values.action === 'redirect' ? (
        <TextInput
          label={words.redirectTo}
          description={words.redirectHelp}
          spellCheck={false}
          {...form.getInputProps('redirectTo')}
        />
      ) : null}
      {form.values.action === 'allow' ? (
        <>
          <p className={classes.help}>{words.allowHelp}</p>
          <Switch label={words.logs} {...form.getInputProps('logs', { type: 'checkbox' })} />
        </>
      ) : null}
      <Switch label={words.enabled} {...form.getInputProps('enabled', { type: 'checkbox' })} />
    </div>
  );
}
