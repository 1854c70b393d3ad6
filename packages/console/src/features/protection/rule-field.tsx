import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import type { BuiltInRule } from '@portcullis/contract/protection';
import { useQuery } from '@tanstack/react-query';
import { messages } from '../../lib/messages/index.ts';
import { builtInRulesQuery } from '../../lib/queries/index.ts';
import { usePermission } from '../../lib/session/index.ts';
import { findBuiltIn } from './built-in.ts';
import type { ExceptionFormState } from './exception-values.ts';
import classes from './rule-field.module.css';

const words = messages.protection.exceptions.form;
const offered = 12;

/** Which built-in rule an exception takes back: offered as one types, with a word where nothing has that id. */
export function RuleField({ form }: { form: ExceptionFormState }) {
  const rules = useQuery({ ...builtInRulesQuery(undefined), enabled: usePermission('rule:view') }).data ?? [];
  const ofRequests = rules.filter(({ category }) => category !== undefined);
  const id = form.values.rule_id.trim();
  const unknown = id !== '' && ofRequests.length > 0 && ofRequests.every((rule) => rule.id !== id);
  return (
    <div>
      <Autocomplete
        label={words.rule}
        description={words.ruleHelp}
        maxLength={128}
        spellCheck={false}
        data={ofRequests.map((rule) => rule.id)}
        filter={({ search }) => findBuiltIn(ofRequests, { text: search }).slice(0, offered).map(optionOf)}
        renderOption={optionsWith(ofRequests)}
        {...form.getInputProps('rule_id')}
      />
      <output className={classes.unknown}>{unknown ? words.ruleUnknown : null}</output>
    </div>
  );
}

const optionOf = ({ id }: BuiltInRule) => ({ value: id, label: id });

const optionsWith =
  (rules: readonly BuiltInRule[]): NonNullable<AutocompleteProps['renderOption']> =>
  ({ option }) => (
    <span className={classes.option}>
      <span className={classes.id}>{option.value}</span>
      <span className={classes.finds}>{rules.find(({ id }) => id === option.value)?.description}</span>
    </span>
  );
