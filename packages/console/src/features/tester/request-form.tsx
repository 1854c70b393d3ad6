import { Button, Select, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { RuleTest } from '@portcullis/contract/protection';
import type { Site } from '@portcullis/contract/sites';
import type { ReactNode } from 'react';
import { useEffect, useRef } from 'react';
import { fieldErrorsOf, validateWith } from '../../components/form-errors.ts';
import { messages } from '../../lib/messages/index.ts';
import type { Pasted } from './pasted-request.ts';
import { readPasted } from './pasted-request.ts';
import classes from './tester.module.css';

const words = messages.tester;
const check = validateWith(RuleTest);

interface Values {
  site: string;
  text: string;
  clientIp: string;
}

/** What is tried: a site, a request as tools print it, and whose address it comes from. */
export function RequestForm(props: {
  sites: readonly Site[];
  siteId: string | undefined;
  onSite: (siteId: string) => void;
  /** what it begins with, and is tested at once */
  tried: { text: string; clientIp: string } | undefined;
  busy: boolean;
  error: Error | null;
  onTest: (test: RuleTest) => void;
}) {
  const { sites, siteId, onSite, tried, busy, error } = props;
  const site = sites.find(({ id }) => id === siteId)?.id ?? (sites.length === 1 ? sites[0]?.id : undefined);
  const form = useForm<Values>({
    initialValues: { site: '', text: '', clientIp: '192.0.2.1', ...tried },
    validate: (values) => problems(values, site),
  });
  useRefusal(error, form.setErrors);
  const send = (values: Values) => {
    const pasted = readPasted(values.text);
    if (!pasted.ok || site === undefined) return;
    props.onTest({ siteId: site, request: { ...pasted.request, clientIp: values.clientIp.trim() } });
  };
  useAtOnce(tried !== undefined, form.onSubmit(send));
  return (
    <form className={classes.form} noValidate onSubmit={form.onSubmit(send)}>
      <SiteChoice
        sites={sites}
        site={site}
        error={form.errors['site']}
        onSite={(chosen) => {
          form.clearFieldError('site');
          onSite(chosen);
        }}
      />
      <Textarea
        label={words.request}
        description={tried ? words.rebuilt : words.requestHelp}
        placeholder={words.requestPlaceholder}
        classNames={{ input: classes.raw ?? '' }}
        rows={14}
        spellCheck={false}
        autoComplete="off"
        {...form.getInputProps('text')}
      />
      <TextInput
        label={words.client}
        classNames={{ input: classes.raw ?? '' }}
        spellCheck={false}
        {...form.getInputProps('clientIp')}
      />
      <div>
        <Button type="submit" disabled={busy} aria-busy={busy}>
          {busy ? words.testing : words.test}
        </Button>
      </div>
    </form>
  );
}

function useRefusal(error: Error | null, setErrors: (errors: Record<string, string>) => void): void {
  useEffect(() => {
    if (error) setErrors(inWords(fieldErrorsOf(error)));
  }, [error, setErrors]);
}

/** Who comes with a request wants its result. */
function useAtOnce(wanted: boolean, submit: () => void): void {
  const first = useRef(submit);
  useEffect(() => {
    if (wanted) first.current();
  }, [wanted]);
}

function SiteChoice(props: {
  sites: readonly Site[];
  site: string | undefined;
  error: ReactNode;
  onSite: (siteId: string) => void;
}) {
  return (
    <Select
      label={words.site}
      placeholder={words.sitePlaceholder}
      searchable
      data={props.sites.map(({ id, name }) => ({ value: id, label: name }))}
      value={props.site ?? null}
      error={props.error}
      onChange={(chosen) => (chosen === null ? undefined : props.onSite(chosen))}
    />
  );
}

function problems(values: Values, site: string | undefined): Record<string, string> {
  const pasted = readPasted(values.text);
  const missing = site === undefined ? { site: words.siteRequired } : {};
  if (!pasted.ok) return { ...missing, text: problemText(pasted) };
  const request = { ...pasted.request, clientIp: values.clientIp.trim() };
  return { ...missing, ...inWords(check({ siteId: site ?? '', request })) };
}

function problemText({ problem, line }: Extract<Pasted, { ok: false }>): string {
  return problem === 'empty' ? words.problems.empty : words.problems[problem](line);
}

/** What is wrong with a part of the request stands at the text that it was read from. */
function inWords(errors: Record<string, string>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [path, message] of Object.entries(errors)) {
    found[path === 'request.clientIp' ? 'clientIp' : path === 'siteId' ? 'site' : 'text'] ??= message;
  }
  return found;
}
