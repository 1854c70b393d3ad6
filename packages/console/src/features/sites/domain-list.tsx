import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core';
import { IconArrowUp, IconPlus, IconX } from '@tabler/icons-react';
import { messages } from '../../lib/messages/index.ts';
import classes from './domain-list.module.css';
import type { SiteForm } from './site-values.ts';

const words = messages.sites.form;

/** The whole list of a site's domains; the first one is the primary. */
export function DomainList(props: { form: SiteForm }) {
  const { form } = props;
  const others = form.values.domains.slice(1);
  return (
    <div className={classes.list}>
      <TextInput
        label={words.domain}
        description={words.domainHelp}
        required
        spellCheck={false}
        {...form.getInputProps('domains.0')}
      />
      {others.map((domain, index) => (
        <OtherDomain key={form.key(`domains.${index + 1}`)} form={form} index={index + 1} domain={domain} />
      ))}
      <Button
        className={classes.add}
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPlus size={14} />}
        onClick={() => form.insertListItem('domains', '')}
      >
        {words.addDomain}
      </Button>
    </div>
  );
}

function OtherDomain(props: { form: SiteForm; index: number; domain: string }) {
  const { form, index, domain } = props;
  const name = domain === '' ? String(index + 1) : domain;
  const makePrimary = () => {
    const rest = form.values.domains.filter((_, at) => at !== index);
    form.setFieldValue('domains', [domain, ...rest]);
  };
  return (
    <div className={classes.row}>
      <TextInput
        className={classes.field}
        aria-label={`${words.otherDomains} ${index}`}
        spellCheck={false}
        {...form.getInputProps(`domains.${index}`)}
      />
      <Tooltip label={words.makePrimary(name)}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={34}
          aria-label={words.makePrimary(name)}
          onClick={makePrimary}
        >
          <IconArrowUp size={16} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={words.removeDomain(name)}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={34}
          aria-label={words.removeDomain(name)}
          onClick={() => form.removeListItem('domains', index)}
        >
          <IconX size={16} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
