import { ActionIcon, Button, Fieldset, NativeSelect, TextInput, Tooltip } from '@mantine/core';
import { combinators, conditionFields, conditionOperators } from '@portcullis/contract/vocabulary';
import { IconPlus, IconX } from '@tabler/icons-react';
import { messages } from '../../lib/messages/index.ts';
import classes from './condition-builder.module.css';
import type { RuleForm } from './rule-values.ts';
import { emptyCondition, namedFields } from './rule-values.ts';

const words = messages.protection.modal;
const fields = conditionFields.map((value) => ({ value, label: words.fields[value] }));
const operators = conditionOperators.map((value) => ({ value, label: words.operators[value] }));

/** What a request must look like: conditions, all or any of which must hold. */
export function ConditionBuilder(props: { form: RuleForm }) {
  const { form } = props;
  const { rules } = form.values.conditions;
  return (
    <Fieldset legend={words.conditions} className={classes.builder}>
      <NativeSelect
        className={classes.match}
        size="xs"
        aria-label={words.match}
        data={combinators.map((value) => ({ value, label: `${words.match} ${words.combinators[value]}` }))}
        {...form.getInputProps('conditions.operator')}
      />
      {rules.map((rule, index) => (
        <ConditionRow
          key={form.key(`conditions.rules.${index}`)}
          form={form}
          index={index}
          named={namedFields.has(rule.field)}
          only={rules.length === 1}
        />
      ))}
      {rules.some(({ field }) => namedFields.has(field)) ? (
        <p className={classes.help}>{words.fieldNameHelp}</p>
      ) : null}
      <Button
        className={classes.add}
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPlus size={14} />}
        onClick={() => form.insertListItem('conditions.rules', { ...emptyCondition })}
      >
        {words.addCondition}
      </Button>
      {form.errors['conditions.rules'] ? (
        <p className="form-problem">{form.errors['conditions.rules']}</p>
      ) : null}
    </Fieldset>
  );
}

function ConditionRow(props: { form: RuleForm; index: number; named: boolean; only: boolean }) {
  const { form, index } = props;
  const path = `conditions.rules.${index}`;
  const number = index + 1;
  const { field } = form.values.conditions.rules[index] ?? emptyCondition;
  const nameProps = form.getInputProps(`${path}.name`);
  return (
    <div className={classes.row} data-named={props.named || undefined}>
      <NativeSelect aria-label={words.field(number)} data={fields} {...form.getInputProps(`${path}.field`)} />
      {props.named ? (
        <TextInput
          aria-label={words.fieldName(number)}
          placeholder={words.fieldNames[field]}
          spellCheck={false}
          {...nameProps}
          value={(nameProps.value as string | undefined) ?? ''}
        />
      ) : null}
      <NativeSelect
        className={classes.operator}
        aria-label={words.operator(number)}
        data={operators}
        {...form.getInputProps(`${path}.operator`)}
      />
      <TextInput
        className={classes.value}
        aria-label={words.value(number)}
        placeholder={words.valuePlaceholder}
        spellCheck={false}
        {...form.getInputProps(`${path}.value`)}
      />
      <Tooltip label={words.removeCondition(number)}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={34}
          aria-label={words.removeCondition(number)}
          disabled={props.only}
          onClick={() => form.removeListItem('conditions.rules', index)}
        >
          <IconX size={16} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
