import { ActionIcon, Button, NumberInput, Select, TextInput, Tooltip } from '@mantine/core';
import { affinities, FurtherUpstream, hostHeaders } from '@portcullis/contract/sites';
import { IconPlus, IconX } from '@tabler/icons-react';
import { Checkbox, Switch } from '../../components/choices.tsx';
import { FileText } from '../../components/file-text.tsx';
import { messages } from '../../lib/messages/index.ts';
import classes from './form-section.module.css';
import { FormSection } from './form-section.tsx';
import type { SiteForm } from './site-values.ts';
import rows from './upstream-section.module.css';

const words = messages.sites.form;

/** More upstreams beside the first, how requests are shared out, and how an upstream is talked to. */
export function UpstreamSection(props: { form: SiteForm }) {
  const { form } = props;
  const { further, verify_tls } = form.values.upstream;
  return (
    <FormSection title={words.upstreams} text={words.upstreamsText}>
      {further.length > 0 ? (
        <NumberInput
          className={classes.short ?? ''}
          label={words.firstWeight}
          description={words.weightHelp}
          min={1}
          max={100}
          allowDecimal={false}
          {...form.getInputProps('upstream.weight')}
        />
      ) : null}
      {further.map((_, index) => (
        <Further key={form.key(`upstream.further.${index}`)} form={form} index={index} />
      ))}
      <Button
        className={classes.add ?? ''}
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() =>
          form.insertListItem('upstream.further', { ...FurtherUpstream.parse({ url: 'http://x' }), url: '' })
        }
      >
        {words.addUpstream}
      </Button>
      {further.length > 0 ? <Affinity form={form} /> : null}
      <Select
        label={words.hostHeader}
        description={words.hostHeaderHelp}
        data={hostHeaders.map((value) => ({ value, label: words.hostHeaders[value] }))}
        {...form.getInputProps('upstream.host_header')}
      />
      <Switch
        label={words.verifyTls}
        description={words.verifyTlsHelp}
        {...form.getInputProps('upstream.verify_tls', { type: 'checkbox' })}
      />
      {verify_tls ? (
        <FileText
          label={words.upstreamCa}
          help={words.upstreamCaHelp}
          rows={3}
          placeholder="-----BEGIN CERTIFICATE-----"
          {...form.getInputProps('upstream.ca')}
        />
      ) : null}
    </FormSection>
  );
}

/** Whether a client stays with one of them. */
function Affinity({ form }: { form: SiteForm }) {
  return (
    <Select
      label={words.affinity}
      description={words.affinityHelp}
      data={affinities.map((value) => ({ value, label: words.affinities[value] }))}
      {...form.getInputProps('upstream.affinity')}
    />
  );
}

function Further(props: { form: SiteForm; index: number }) {
  const { form, index } = props;
  const path = `upstream.further.${index}` as const;
  const number = index + 2;
  return (
    <div className={rows.row}>
      <TextInput
        className={rows.url ?? ''}
        label={words.upstreamNumber(number)}
        inputMode="url"
        spellCheck={false}
        placeholder="http://127.0.0.1:3001"
        {...form.getInputProps(`${path}.url`)}
      />
      <NumberInput
        className={rows.weight ?? ''}
        label={words.weight}
        aria-label={words.weightOf(number)}
        min={1}
        max={100}
        allowDecimal={false}
        {...form.getInputProps(`${path}.weight`)}
      />
      <Checkbox
        className={rows.standby ?? ''}
        label={words.standby}
        aria-label={words.standbyOf(number)}
        {...form.getInputProps(`${path}.standby`, { type: 'checkbox' })}
      />
      <Tooltip label={words.removeUpstream(number)}>
        <ActionIcon
          className={rows.remove ?? ''}
          variant="subtle"
          color="gray"
          size={34}
          aria-label={words.removeUpstream(number)}
          onClick={() => form.removeListItem('upstream.further', index)}
        >
          <IconX size={16} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
