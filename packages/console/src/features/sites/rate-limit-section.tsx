import { ActionIcon, Button, NumberInput, Switch, TextInput, Tooltip } from '@mantine/core';
import { RateLimitBucket } from '@portcullis/contract/sites';
import { IconPlus, IconX } from '@tabler/icons-react';
import { messages } from '../../lib/messages/index.ts';
import classes from './form-section.module.css';
import { FieldRow, FormSection } from './form-section.tsx';
import type { SiteForm } from './site-values.ts';

const words = messages.sites.form;

/** How many requests one client may make, over all and on single paths. */
export function RateLimitSection(props: { form: SiteForm }) {
  const { form } = props;
  return (
    <FormSection title={words.rateLimit} text={words.rateLimitText}>
      <Switch
        label={words.rateLimitEnabled}
        {...form.getInputProps('rate_limit.enabled', { type: 'checkbox' })}
      />
      {form.values.rate_limit.enabled ? (
        <>
          <BucketNumbers form={form} path="rate_limit" />
          <Buckets form={form} />
        </>
      ) : null}
    </FormSection>
  );
}

/** Capacity, window and refill of one bucket. @param of names the bucket for screen readers, where there are several */
function BucketNumbers(props: {
  form: SiteForm;
  path: 'rate_limit' | `rate_limit.buckets.${number}`;
  of?: string;
}) {
  const { form, path, of } = props;
  const name = (label: string) => (of === undefined ? {} : { 'aria-label': words.bucketField(label, of) });
  const help = of === undefined;
  return (
    <FieldRow>
      <NumberInput
        label={words.capacity}
        {...name(words.capacity)}
        {...(help ? { description: words.capacityHelp } : {})}
        min={1}
        max={1_000_000}
        allowDecimal={false}
        thousandSeparator=","
        {...form.getInputProps(`${path}.capacity`)}
      />
      <NumberInput
        label={words.window}
        {...name(words.window)}
        {...(help ? { description: words.windowHelp } : {})}
        suffix={words.secondsSuffix}
        min={1}
        max={86_400}
        allowDecimal={false}
        {...form.getInputProps(`${path}.window`)}
      />
      <NumberInput
        label={words.refillInterval}
        {...name(words.refillInterval)}
        {...(help ? { description: words.refillIntervalHelp } : {})}
        suffix={words.secondsSuffix}
        min={1}
        max={3600}
        allowDecimal={false}
        {...form.getInputProps(`${path}.refill_interval`)}
      />
    </FieldRow>
  );
}

function Buckets(props: { form: SiteForm }) {
  const { form } = props;
  const { buckets } = form.values.rate_limit;
  return (
    <>
      {buckets.map((bucket, index) => (
        <Bucket
          key={form.key(`rate_limit.buckets.${index}`)}
          form={form}
          index={index}
          name={bucket.name === '' ? String(index + 1) : bucket.name}
        />
      ))}
      <Button
        className={classes.add ?? ''}
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() =>
          form.insertListItem('rate_limit.buckets', {
            ...RateLimitBucket.parse({ name: '-' }),
            name: '',
            path: '',
            header: '',
          })
        }
      >
        {words.addBucket}
      </Button>
    </>
  );
}

function Bucket(props: { form: SiteForm; index: number; name: string }) {
  const { form, index, name } = props;
  const path = `rate_limit.buckets.${index}` as const;
  return (
    <fieldset className={classes.group}>
      <legend className={classes.groupTitle}>{words.bucket(name)}</legend>
      <Tooltip label={words.removeBucket(name)}>
        <ActionIcon
          className={classes.groupRemove ?? ''}
          variant="subtle"
          color="gray"
          aria-label={words.removeBucket(name)}
          onClick={() => form.removeListItem('rate_limit.buckets', index)}
        >
          <IconX size={16} />
        </ActionIcon>
      </Tooltip>
      <FieldRow>
        <TextInput
          label={words.bucketName}
          aria-label={words.bucketField(words.bucketName, name)}
          maxLength={64}
          {...form.getInputProps(`${path}.name`)}
        />
        <TextInput
          label={words.bucketPath}
          aria-label={words.bucketField(words.bucketPath, name)}
          placeholder={words.bucketPathAll}
          spellCheck={false}
          {...form.getInputProps(`${path}.path`)}
        />
        <TextInput
          label={words.bucketHeader}
          aria-label={words.bucketField(words.bucketHeader, name)}
          placeholder={words.bucketHeaderNone}
          spellCheck={false}
          {...form.getInputProps(`${path}.header`)}
        />
      </FieldRow>
      <BucketNumbers form={form} path={path} of={name} />
    </fieldset>
  );
}
