import { Button } from '@mantine/core';
import { IconRefresh, IconTrash, IconUpload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useConfirm } from '../../components/confirm.tsx';
import { DetailDrawer } from '../../components/detail-drawer.tsx';
import { Allowed } from '../../components/permission-gate.tsx';
import { messages } from '../../lib/messages/index.ts';
import { certificatesQuery } from '../../lib/queries/index.ts';
import classes from './certificate-drawer.module.css';
import { CertificateFacts } from './certificate-facts.tsx';
import { useIssue, useIssuing, useRemove } from './certificate-queries.ts';
import { siteName } from './certificate-table.tsx';
import type { Holder } from './holders.ts';
import { provableDomains } from './holders.ts';
import { IssueSteps } from './issue-steps.tsx';

const words = messages.certificates;
/** until the service says that the request is under way */
const watchMs = 700;

/** The certificate of one site in full, what the last request did, and what can be done about it. */
export function CertificateDrawer(props: {
  holder: Holder | undefined;
  onUpload: (siteId: string) => void;
  onClose: () => void;
}) {
  return (
    <DetailDrawer
      subject={props.holder}
      size={560}
      title={(holder) => words.titleOf(siteName(holder))}
      onClose={props.onClose}
    >
      {(holder) => <Detail key={holder.siteId} holder={holder} onUpload={props.onUpload} />}
    </DetailDrawer>
  );
}

function Detail(props: { holder: Holder; onUpload: (siteId: string) => void }) {
  const { holder } = props;
  const issuing = useIssuing(holder.siteId);
  useWatch(issuing);
  const pending = holder.certificate?.state === 'pending';
  return (
    <div className={classes.detail}>
      <CertificateFacts holder={holder} />
      <Allowed anyOf={['site:update']}>
        <Acts holder={holder} busy={issuing || pending} onUpload={props.onUpload} />
      </Allowed>
      <IssueSteps steps={holder.certificate?.steps ?? []} pending={pending} />
    </div>
  );
}

/** Looks for the steps from the moment at which a request begins. */
function useWatch(issuing: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!issuing) return;
    const look = () => void client.invalidateQueries({ queryKey: certificatesQuery.queryKey });
    const timer = setInterval(look, watchMs);
    return () => clearInterval(timer);
  }, [issuing, client]);
}

function Acts(props: { holder: Holder; busy: boolean; onUpload: (siteId: string) => void }) {
  const { holder, busy } = props;
  const { site, siteId, certificate } = holder;
  const issue = useIssue(siteId);
  const remove = useRemove();
  const confirm = useConfirm();
  const stored = certificate !== undefined && certificate.id !== siteId;
  const ask = async () => {
    const again = site?.ssl?.enabled && site.ssl.autoCert;
    const agreed = await confirm({
      title: words.removeTitle(siteName(holder)),
      text: again ? words.removeTextAuto : words.removeText,
      confirm: words.removeConfirm,
      destructive: true,
    });
    if (agreed) remove.mutate(siteId);
  };
  return (
    <div className={classes.acts}>
      {site && provableDomains(site).length > 0 ? (
        <Button
          size="xs"
          variant="light"
          leftSection={<IconRefresh size={14} aria-hidden />}
          disabled={busy}
          aria-busy={busy}
          onClick={() => issue.mutate()}
        >
          {busy ? words.act.requesting : words.act.request}
        </Button>
      ) : null}
      {site ? (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconUpload size={14} aria-hidden />}
          onClick={() => props.onUpload(siteId)}
        >
          {stored && certificate.domains.length > 0 ? words.act.replace : words.act.upload}
        </Button>
      ) : null}
      {stored ? (
        <Button
          size="xs"
          variant="subtle"
          color="red"
          leftSection={<IconTrash size={14} aria-hidden />}
          disabled={busy || remove.isPending}
          onClick={() => void ask()}
        >
          {words.act.remove}
        </Button>
      ) : null}
    </div>
  );
}
