import { NumberInput } from '@mantine/core';
import { Checkbox, Switch } from '../../components/choices.tsx';
import { messages } from '../../lib/messages/index.ts';
import { CertificateLine } from './certificate-line.tsx';
import { FormSection } from './form-section.tsx';
import type { SiteForm } from './site-values.ts';

const words = messages.sites.form;

/** HTTPS of the site: its certificate, and whether clear requests and browsers are kept to it. */
export function SslSection(props: { form: SiteForm }) {
  const { form } = props;
  const { enabled, hsts } = form.values.ssl;
  return (
    <FormSection title={words.ssl} text={words.sslText}>
      <Switch label={words.sslEnabled} {...form.getInputProps('ssl.enabled', { type: 'checkbox' })} />
      <Checkbox
        label={words.autoCert}
        description={words.autoCertHelp}
        disabled={!enabled}
        {...form.getInputProps('ssl.autoCert', { type: 'checkbox' })}
      />
      {enabled ? (
        <>
          <CertificateLine
            siteId={form.values.id}
            domains={form.values.domains}
            automatic={form.values.ssl.autoCert}
          />
          <Checkbox
            label={words.redirect}
            description={words.redirectHelp}
            {...form.getInputProps('ssl.redirect', { type: 'checkbox' })}
          />
          <Checkbox
            label={words.hsts}
            description={words.hstsHelp}
            {...form.getInputProps('ssl.hsts.enabled', { type: 'checkbox' })}
          />
          {hsts?.enabled ? <Hsts form={form} /> : null}
        </>
      ) : null}
    </FormSection>
  );
}

function Hsts(props: { form: SiteForm }) {
  return (
    <>
      <NumberInput
        label={words.hstsMaxAge}
        suffix={words.secondsSuffix}
        min={0}
        allowDecimal={false}
        {...props.form.getInputProps('ssl.hsts.max_age')}
      />
      <Checkbox
        label={words.hstsSubdomains}
        {...props.form.getInputProps('ssl.hsts.include_subdomains', { type: 'checkbox' })}
      />
    </>
  );
}
