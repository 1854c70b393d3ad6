import { Checkbox, NumberInput, Select, Switch } from '@mantine/core';
import { challengeModes, difficulties } from '@portcullis/contract/sites';
import { messages } from '../../lib/messages/index.ts';
import { FieldRow, FormSection } from './form-section.tsx';
import type { SiteForm } from './site-values.ts';

const words = messages.sites.form;

/** How many requests one client may make. */
export function RateLimitSection(props: { form: SiteForm }) {
  const { form } = props;
  return (
    <FormSection title={words.rateLimit} text={words.rateLimitText}>
      <Switch
        label={words.rateLimitEnabled}
        {...form.getInputProps('rate_limit.enabled', { type: 'checkbox' })}
      />
      {form.values.rate_limit.enabled ? (
        <FieldRow>
          <NumberInput
            label={words.capacity}
            description={words.capacityHelp}
            min={1}
            allowDecimal={false}
            thousandSeparator=","
            {...form.getInputProps('rate_limit.capacity')}
          />
          <NumberInput
            label={words.window}
            description={words.windowHelp}
            suffix={words.secondsSuffix}
            min={1}
            allowDecimal={false}
            {...form.getInputProps('rate_limit.window')}
          />
          <NumberInput
            label={words.refillInterval}
            description={words.refillIntervalHelp}
            suffix={words.secondsSuffix}
            min={1}
            allowDecimal={false}
            {...form.getInputProps('rate_limit.refill_interval')}
          />
        </FieldRow>
      ) : null}
    </FormSection>
  );
}

/** Whether browsers must prove themselves before they pass. */
export function BotProtectionSection(props: { form: SiteForm }) {
  const { form } = props;
  return (
    <FormSection title={words.botProtection} text={words.botProtectionText}>
      <Switch
        label={words.botProtectionEnabled}
        {...form.getInputProps('bot_protection.enabled', { type: 'checkbox' })}
      />
      {form.values.bot_protection.enabled ? (
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
      ) : null}
    </FormSection>
  );
}
