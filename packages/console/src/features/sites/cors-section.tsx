import { CheckboxGroup, NumberInput, Select } from '@mantine/core';
import { corsMethods, originPolicies } from '@portcullis/contract/sites';
import { Checkbox, Switch } from '../../components/choices.tsx';
import { StringList } from '../../components/string-list.tsx';
import { messages } from '../../lib/messages/index.ts';
import classes from './form-section.module.css';
import { FormSection } from './form-section.tsx';
import type { SiteForm } from './site-values.ts';
import { listError } from './site-values.ts';

const words = messages.sites.form;

/** Which other origins may call the site from a browser. */
export function CorsSection(props: { form: SiteForm }) {
  const { form } = props;
  return (
    <FormSection title={words.cors} text={words.corsText}>
      <Switch label={words.corsEnabled} {...form.getInputProps('cors.enabled', { type: 'checkbox' })} />
      {form.values.cors.enabled ? <CorsDetails form={form} /> : null}
    </FormSection>
  );
}

function CorsDetails(props: { form: SiteForm }) {
  const { form } = props;
  const { cors } = form.values;
  return (
    <>
      <Select
        label={words.originPolicy}
        data={originPolicies.map((value) => ({ value, label: words.originPolicies[value] }))}
        {...form.getInputProps('cors.origin_policy')}
      />
      {cors.origin_policy === 'list' ? (
        <StringList
          label={words.allowedOrigins}
          placeholder="https://app.example.com"
          add={words.addOrigin}
          values={cors.allowed_origins}
          error={listError(form, 'cors.allowed_origins')}
          onChange={(values) => form.setFieldValue('cors.allowed_origins', values)}
        />
      ) : null}
      <CheckboxGroup label={words.allowedMethods} {...form.getInputProps('cors.allowed_methods')}>
        <div className={classes.choices}>
          {corsMethods.map((method) => (
            <Checkbox key={method} value={method} label={method} />
          ))}
        </div>
      </CheckboxGroup>
      <StringList
        label={words.allowedHeaders}
        placeholder="X-Api-Key"
        add={words.addHeader}
        values={cors.allowed_headers}
        error={listError(form, 'cors.allowed_headers')}
        onChange={(values) => form.setFieldValue('cors.allowed_headers', values)}
      />
      <Checkbox
        label={words.allowCredentials}
        {...form.getInputProps('cors.allow_credentials', { type: 'checkbox' })}
      />
      <NumberInput
        label={words.corsMaxAge}
        description={words.corsMaxAgeHelp}
        suffix={words.secondsSuffix}
        min={0}
        max={86_400}
        allowDecimal={false}
        {...form.getInputProps('cors.max_age')}
      />
    </>
  );
}
