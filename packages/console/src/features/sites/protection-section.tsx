import { NativeSelect, SegmentedControl } from '@mantine/core';
import type { Category } from '@portcullis/contract/vocabulary';
import { categories, modes, sensitivities } from '@portcullis/contract/vocabulary';
import { useId } from 'react';
import { Switch } from '../../components/choices.tsx';
import { StringList } from '../../components/string-list.tsx';
import { categoryHelp, categoryLabel } from '../../lib/messages/categories.ts';
import { messages } from '../../lib/messages/index.ts';
import { FormSection } from './form-section.tsx';
import classes from './protection-section.module.css';
import type { SiteForm } from './site-values.ts';
import { listError } from './site-values.ts';

const words = messages.sites.form;
const modeOptions = modes.map((value) => ({ value, label: words.modes[value] }));
const standingModes = modeOptions.filter(({ value }) => value !== 'block');
const sensitivityOptions = sensitivities.map((value) => ({ value, label: words.sensitivities[value] }));

/** What these ask of every visitor is a challenge or a log, and there is no evidence to weigh. */
const standing: ReadonlySet<Category> = new Set(['js_challenge', 'captcha_challenge']);

/** What is inspected: each of the sixteen categories with its mode and sensitivity. */
export function ProtectionSection(props: { form: SiteForm }) {
  return (
    <FormSection title={words.protection} text={words.protectionText}>
      <Enforcement form={props.form} />
      <div className={classes.grid}>
        <div className={classes.head} aria-hidden>
          <span>{words.category}</span>
          <span>{words.mode}</span>
          <span>{words.sensitivity}</span>
        </div>
        {categories.map((category) => (
          <CategoryRow key={category} form={props.form} category={category} />
        ))}
      </div>
      <Details form={props.form} />
    </FormSection>
  );
}

/** Whether what the whole form sets is carried out. */
function Enforcement({ form }: { form: SiteForm }) {
  const help = useId();
  const value = form.values.watch_only ? 'watch' : 'enforce';
  return (
    <div>
      <SegmentedControl
        fullWidth
        aria-label={words.enforcement}
        aria-describedby={help}
        data={(['enforce', 'watch'] as const).map((one) => ({ value: one, label: words.enforcements[one] }))}
        value={value}
        onChange={(chosen) => form.setFieldValue('watch_only', chosen === 'watch')}
      />
      <p id={help} className={classes.enforcement}>
        {words.enforcementHelp[value]}
      </p>
    </div>
  );
}

/** What single categories ask beside their mode; shown while they are on. */
function Details({ form }: { form: SiteForm }) {
  const { protection_config, trusted_origins, allowed_methods } = form.values;
  return (
    <>
      {protection_config.csrf.enabled ? (
        <StringList
          label={words.trustedOrigins}
          description={words.trustedOriginsHelp}
          placeholder="https://app.example.com"
          add={words.addTrustedOrigin}
          values={trusted_origins}
          error={listError(form, 'trusted_origins')}
          onChange={(values) => form.setFieldValue('trusted_origins', values)}
        />
      ) : null}
      {protection_config.method_validation.enabled ? (
        <StringList
          label={words.servedMethods}
          description={words.servedMethodsHelp}
          placeholder="PROPFIND"
          add={words.addServedMethod}
          values={allowed_methods}
          error={listError(form, 'allowed_methods')}
          onChange={(values) => form.setFieldValue('allowed_methods', values)}
        />
      ) : null}
    </>
  );
}

function CategoryRow(props: { form: SiteForm; category: Category }) {
  const { form, category } = props;
  const path = `protection_config.${category}` as const;
  const label = categoryLabel(category);
  const { enabled } = form.values.protection_config[category];
  const mode = form.getInputProps(`${path}.mode`);
  const asksAll = standing.has(category);
  return (
    <div className={classes.row}>
      <Switch
        label={label}
        description={categoryHelp(category)}
        {...form.getInputProps(`${path}.enabled`, { type: 'checkbox' })}
      />
      <NativeSelect
        size="xs"
        aria-label={words.modeOf(label)}
        data={asksAll ? standingModes : modeOptions}
        disabled={!enabled}
        {...mode}
        value={asksAll && mode.value === 'block' ? 'challenge' : mode.value}
      />
      {asksAll ? (
        <span className={classes.none}>{words.everyVisitor}</span>
      ) : (
        <NativeSelect
          size="xs"
          aria-label={words.sensitivityOf(label)}
          data={sensitivityOptions}
          disabled={!enabled}
          {...form.getInputProps(`${path}.sensitivity`)}
        />
      )}
    </div>
  );
}
