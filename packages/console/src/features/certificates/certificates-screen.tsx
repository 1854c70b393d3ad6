import { Button } from '@mantine/core';
import type { Certificate } from '@portcullis/contract/certificates';
import type { Site } from '@portcullis/contract/sites';
import { IconCertificate, IconPlus } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Page } from '../../components/page.tsx';
import { Panel } from '../../components/panel.tsx';
import { Allowed } from '../../components/permission-gate.tsx';
import { EmptyState, ErrorState, SkeletonRows, Stale } from '../../components/states.tsx';
import { messages } from '../../lib/messages/index.ts';
import { certificatesQuery, sitesQuery } from '../../lib/queries/index.ts';
import { CertificateDrawer } from './certificate-drawer.tsx';
import { CertificateForm } from './certificate-form.tsx';
import { CertificateTable } from './certificate-table.tsx';
import { holdersOf } from './holders.ts';

const words = messages.certificates;
const refreshMs = 30_000;
/** while one is being asked for, so that its steps can be watched */
const watchMs = 1_000;

/** The certificates of all sites; one in full, beside them. */
export function CertificatesScreen() {
  const { site: shown } = useSearch({ from: '/signed-in/certificates' });
  const navigate = useNavigate();
  const show = (site: string | undefined) =>
    void navigate({ to: '/certificates', search: site === undefined ? {} : { site }, replace: true });
  const [form, setForm] = useState<{ opened: boolean; siteId: string | undefined }>({
    opened: false,
    siteId: undefined,
  });
  const sites = useQuery({ ...sitesQuery, refetchInterval: refreshMs });
  const certificates = useQuery({
    ...certificatesQuery,
    refetchInterval: ({ state }) =>
      state.data?.some((one) => one.state === 'pending') ? watchMs : refreshMs,
  });
  const site = sites.data?.find(({ id }) => id === shown);
  const certificate = certificates.data?.find(({ siteId }) => siteId === shown);
  return (
    <Page
      title={words.title}
      purpose={words.subtitle}
      actions={
        <Allowed anyOf={['site:update']}>
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setForm({ opened: true, siteId: undefined })}
          >
            {words.add}
          </Button>
        </Allowed>
      }
    >
      <List sites={sites} certificates={certificates} onShow={show} />
      <CertificateDrawer
        holder={site || certificate ? { siteId: shown ?? '', site, certificate } : undefined}
        onUpload={(siteId) => setForm({ opened: true, siteId })}
        onClose={() => show(undefined)}
      />
      <CertificateForm
        {...form}
        sites={sites.data ?? []}
        onDone={show}
        onClose={() => setForm((last) => ({ ...last, opened: false }))}
      />
    </Page>
  );
}

function List(props: {
  sites: UseQueryResult<Site[]>;
  certificates: UseQueryResult<Certificate[]>;
  onShow: (siteId: string) => void;
}) {
  const { sites, certificates } = props;
  const failed = [sites, certificates].find((query) => query.isError);
  const retry = () => void Promise.all([sites.refetch(), certificates.refetch()]);
  const holders = sites.data && certificates.data ? holdersOf(sites.data, certificates.data) : undefined;
  return (
    <Panel title={words.title} flush>
      {holders ? (
        <Stale since={failed?.dataUpdatedAt}>
          {holders.length === 0 ? (
            <EmptyState icon={IconCertificate} title={words.none} text={words.noneText} />
          ) : (
            <CertificateTable holders={holders} onShow={props.onShow} />
          )}
        </Stale>
      ) : failed ? (
        <ErrorState title={words.loadFailed} busy={failed.isFetching} onRetry={retry} />
      ) : (
        <SkeletonRows rows={4} label={messages.common.loading} />
      )}
    </Panel>
  );
}
