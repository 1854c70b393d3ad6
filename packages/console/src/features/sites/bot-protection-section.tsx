import { CheckboxGroup, NumberInput, Select } from '@mantine/core';
import { challengeModes, corsMethods, difficulties } from '@portcullis/contract/sites';
import { Checkbox, Switch } from '../../components/choices.tsx';
import { StringList } from '../../components/string-list.tsx';
import { messages } from '../../lib/messages/index.ts';
import classes from './form-section.module.css';
import { FieldRow, FormSection } from './form-section.tsx';
import type { SiteForm } from './site-values.ts';
import { listError } from './site-values.ts';

const words = messages.sites.form;

/** Whether browsers must prove themselves before they pass, and who need not. */
export function BotProtectionSection(props: { form: SiteForm }) {
  const { form } = props;
  return (
    <FormSection title={words.botProtection} text={words.botProtectionText}>
      <Switch
        label={words.botProtectionEnabled}
        {...form.getInputProps('bot_protection.enabled', { type: 'checkbox' })}
      />
      {asksForProof(form.values) ? (
        <>
          {form.values.bot_protection.enabled ? null : <p className={classes.note}>{words.proofElsewhere}</p>}
          <Challenge form={form} />
          <Exemptions form={form} />
        </>
      ) : null}
    </FormSection>
  );
}

/** Whether a setting of the site has browsers prove themselves: its bot protection, its level or a category. */
function asksForProof({ bot_protection, security_level, protection_config }: SiteForm['values']): boolean {
  const { js_challenge, captcha_challenge, bot_fight_mode } = protection_config;
  return (
    bot_protection.enabled ||
    security_level === 'under_attack' ||
    [js_challenge, captcha_challenge, bot_fight_mode].some(({ enabled }) => enabled) ||
    Object.values(protection_config).some(({ enabled, mode }) => enabled && mode === 'challenge')
  );
}

function Challenge({ form }: { form: SiteForm }) {
  const { bot_protection, protection_config } = form.values;
  // A captcha is as hard as it is.
  const computes = bot_protection.challenge_mode === 'js' || protection_config.js_challenge.enabled;
  return (
    <>
      <FieldRow>
        <Select
          label={words.challengeMode}
          data={challengeModes.map((value) => ({ value, label: words.challengeModes[value] }))}
          {...form.getInputProps('bot_protection.challenge_mode')}
        />
        <Select
          label={words.difficulty}
          data={difficulties.map((value) => ({ value, label: words.difficulties[value] }))}
          disabled={!computes}
          {...form.getInputProps('bot_protection.difficulty')}
        />
        <NumberInput
          label={words.botTimeout}
          suffix={words.secondsSuffix}
          min={30}
          max={86_400}
          allowDecimal={false}
          {...form.getInputProps('bot_protection.timeout')}
        />
      </FieldRow>
      <Checkbox
        label={words.verifiedBots}
        description={words.verifiedBotsHelp}
        {...form.getInputProps('bot_protection.verified_bots_allowed', { type: 'checkbox' })}
      />
    </>
  );
}

function Exemptions({ form }: { form: SiteForm }) {
  const { exempt_paths, exempt_addresses } = form.values.bot_protection;
  return (
    <>
      <StringList
        label={words.exemptPaths}
        description={words.exemptPathsHelp}
        placeholder="/api/"
        add={words.addExemptPath}
        values={exempt_paths}
        error={listError(form, 'bot_protection.exempt_paths')}
        onChange={(values) => form.setFieldValue('bot_protection.exempt_paths', values)}
      />
      <StringList
        label={words.exemptAddresses}
        placeholder="192.0.2.0/24"
        add={words.addExemptAddress}
        values={exempt_addresses}
        error={listError(form, 'bot_protection.exempt_addresses')}
        onChange={(values) => form.setFieldValue('bot_protection.exempt_addresses', values)}
      />
      <CheckboxGroup label={words.exemptMethods} {...form.getInputProps('bot_protection.exempt_methods')}>
        <div className={classes.choices}>
          {corsMethods.map((method) => (
            <Checkbox key={method} value={method} label={method} />
          ))}
        </div>
      </CheckboxGroup>
    </>
  );
}
