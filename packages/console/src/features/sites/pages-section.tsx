import { SegmentedControl, Textarea, TextInput } from '@mantine/core';
import type { PageKind } from '@portcullis/contract/sites';
import { pageKinds } from '@portcullis/contract/sites';
import { useState } from 'react';
import { Switch } from '../../components/choices.tsx';
import { messages } from '../../lib/messages/index.ts';
import { FormSection } from './form-section.tsx';
import { PagePreview } from './page-preview.tsx';
import type { SiteForm } from './site-values.ts';

const words = messages.sites.form.pages;

/** The operator's own words on the pages that the gateway sends, and how they will look. */
export function PagesSection(props: { form: SiteForm }) {
  const { form } = props;
  const wrong = pageKinds.find((one) =>
    Object.keys(form.errors).some((key) => key.startsWith(`pages.${one}.`)),
  );
  const [chosen, setKind] = useState<PageKind>('block');
  const [shown, setShown] = useState(false);
  const kind = wrong ?? chosen;
  return (
    <FormSection title={words.title} text={words.text}>
      <SegmentedControl
        fullWidth
        aria-label={words.kind}
        data={pageKinds.map((value) => ({ value, label: words.kinds[value] }))}
        value={kind}
        onChange={(value) => setKind(value as PageKind)}
      />
      <TextInput
        key={`${kind} title`}
        label={words.heading}
        placeholder={words.builtIn}
        maxLength={120}
        {...form.getInputProps(`pages.${kind}.title`)}
      />
      <Textarea
        key={`${kind} message`}
        label={words.message}
        description={words.messageHelp}
        placeholder={words.builtIn}
        maxLength={4000}
        autosize
        minRows={3}
        {...form.getInputProps(`pages.${kind}.message`)}
      />
      <TextInput
        label={words.contact}
        description={words.contactHelp}
        maxLength={320}
        spellCheck={false}
        {...form.getInputProps('pages.contact')}
      />
      <Switch
        label={words.preview}
        checked={shown}
        onChange={(event) => setShown(event.currentTarget.checked)}
      />
      {shown ? <PagePreview kind={kind} pages={form.values.pages} /> : null}
    </FormSection>
  );
}
