import { SegmentedControl, Select } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useForm } from '@mantine/form';
import { CertificateUpload } from '@portcullis/contract/certificates';
import type { Site } from '@portcullis/contract/sites';
import { FileText } from '../../components/file-text.tsx';
import { fieldErrorsOf, validateWith } from '../../components/form-errors.ts';
import { FormModal } from '../../components/form-modal.tsx';
import { Mono } from '../../components/mono.tsx';
import { useStartingValues } from '../../components/use-starting-values.ts';
import { messages } from '../../lib/messages/index.ts';
import { useIssue, useUpload } from './certificate-queries.ts';
import classes from './certificates.module.css';
import { provableDomains } from './holders.ts';

const words = messages.certificates.form;
const ways = ['upload', 'acme'] as const;

interface Values extends Record<string, unknown> {
  siteId: string;
  way: (typeof ways)[number];
  certificate: string;
  privateKey: string;
}

type Form = UseFormReturnType<Values>;

const checkUpload = validateWith(CertificateUpload);

function problems(values: Values): Record<string, string> {
  return {
    ...(values.way === 'upload' ? checkUpload(values) : {}),
    ...(values.siteId === '' ? { siteId: words.siteRequired } : {}),
  };
}

/** Uploads a certificate for a site, or asks the authority for one. */
export function CertificateForm(props: {
  opened: boolean;
  /** chosen already; absent: the form asks */
  siteId: string | undefined;
  sites: readonly Site[];
  onDone: (siteId: string) => void;
  onClose: () => void;
}) {
  const { opened, siteId = '', sites } = props;
  const form = useForm<Values>({ initialValues: valuesFor(siteId), validate: problems });
  useStartingValues(form, opened, siteId, valuesFor);
  const { way } = form.values;
  const site = sites.find(({ id }) => id === form.values.siteId);
  const done = (id: string) => {
    props.onClose();
    props.onDone(id);
  };
  const upload = useUpload(done, (error) => form.setErrors(fieldErrorsOf(error)));
  const issue = useIssue(form.values.siteId);
  const provable = site === undefined || provableDomains(site).length > 0;
  const send = ({ certificate, privateKey, siteId: id }: Values) => {
    if (way === 'upload') return upload.mutate({ siteId: id, body: { certificate, privateKey } });
    issue.mutate();
    done(id);
  };
  return (
    <FormModal
      opened={opened}
      title={words.title}
      submit={way === 'upload' ? words.upload : words.request}
      busyLabel={words.uploading}
      busy={upload.isPending}
      submitDisabled={way === 'acme' && !provable}
      dirty={form.isDirty('certificate') || form.isDirty('privateKey')}
      size={640}
      onClose={props.onClose}
      onSubmit={form.onSubmit(send)}
    >
      <SiteChoice form={form} sites={sites} asked={siteId === ''} />
      <SegmentedControl
        fullWidth
        aria-label={words.how}
        data={ways.map((value) => ({ value, label: words.ways[value] }))}
        {...form.getInputProps('way')}
      />
      {way === 'upload' ? <UploadFields form={form} /> : <Request site={site} />}
    </FormModal>
  );
}

const valuesFor = (siteId: string): Values => ({ siteId, way: 'upload', certificate: '', privateKey: '' });

function SiteChoice(props: { form: Form; sites: readonly Site[]; asked: boolean }) {
  return (
    <Select
      label={words.site}
      searchable
      openOnFocus={false}
      required
      data-autofocus={props.asked || undefined}
      nothingFoundMessage={words.noSites}
      data={props.sites.map(({ id, name }) => ({ value: id, label: name }))}
      {...props.form.getInputProps('siteId')}
    />
  );
}

function UploadFields({ form }: { form: Form }) {
  return (
    <>
      <FileText label={words.chain} help={words.chainHelp} rows={7} {...form.getInputProps('certificate')} />
      <FileText label={words.key} help={words.keyHelp} rows={5} {...form.getInputProps('privateKey')} />
    </>
  );
}

function Request(props: { site: Site | undefined }) {
  const { site } = props;
  const names = site ? provableDomains(site) : [];
  return (
    <div>
      <p>{words.acmeText}</p>
      {site === undefined ? null : names.length === 0 ? (
        <p className={classes.note}>{words.acmeNone}</p>
      ) : (
        <>
          <ul className={classes.domains} aria-label={words.acmeNames}>
            {names.map((name) => (
              <li key={name}>
                <Mono>{name}</Mono>
              </li>
            ))}
          </ul>
          {site.ssl?.enabled && site.ssl.autoCert ? null : <p className={classes.note}>{words.acmeOnce}</p>}
        </>
      )}
    </div>
  );
}
