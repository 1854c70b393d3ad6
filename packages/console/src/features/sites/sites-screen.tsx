import { Button, TextInput } from '@mantine/core';
import type { SiteMetrics } from '@portcullis/contract/monitoring';
import type { Site } from '@portcullis/contract/sites';
import { IconPlus, IconSearch, IconWorldPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { CardRow, Page } from '../../components/page.tsx';
import { Panel } from '../../components/panel.tsx';
import { Allowed } from '../../components/permission-gate.tsx';
import { StatCard } from '../../components/stat-card.tsx';
import { EmptyState, ErrorState, SkeletonRows, Stale } from '../../components/states.tsx';
import { formatCount } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { metricsQuery, sitesQuery } from '../../lib/queries/index.ts';
import { usePermission } from '../../lib/session/index.ts';
import { PerformancePanel } from './performance-panel.tsx';
import { SiteFormModal } from './site-form-modal.tsx';
import { SiteList } from './site-list.tsx';
import classes from './sites-screen.module.css';

const words = messages.sites;
const sitesRefreshMs = 30_000;
const sitesStaleMs = 10_000;
const metricsRefreshMs = 5_000;

/** Protected sites: list, figures, and the form that adds or changes one. */
export function SitesScreen() {
  const search = useSearch({ from: '/signed-in/sites' });
  const navigate = useNavigate();
  const [adding, setAdding] = useState<{ like?: string }>();
  const edit = (site: string | undefined) =>
    void navigate({ to: '/sites', search: site === undefined ? {} : { site }, replace: true });
  return (
    <Page
      title={words.title}
      purpose={words.subtitle}
      actions={
        <>
          <Button variant="default" component={Link} to="/certificates">
            {words.certificates}
          </Button>
          <Allowed anyOf={['site:create']}>
            <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding({})}>
              {words.addSite}
            </Button>
          </Allowed>
        </>
      }
    >
      <Body onAdd={() => setAdding({})} onCopy={(like) => setAdding({ like })} onConfigure={edit} />
      <SiteFormModal
        opened={adding !== undefined || search.site !== undefined}
        siteId={search.site === 'new' ? undefined : search.site}
        section={search.section}
        like={adding?.like}
        onClose={() => {
          setAdding(undefined);
          if (search.site !== undefined) edit(undefined);
        }}
      />
    </Page>
  );
}

interface Acts {
  onAdd: () => void;
  /** asks for a site like this one */
  onCopy: (siteId: string) => void;
  onConfigure: (siteId: string) => void;
}

function Body(props: Acts) {
  const sites = useQuery({ ...sitesQuery, refetchInterval: sitesRefreshMs, staleTime: sitesStaleMs });
  if (sites.isError && !sites.data) {
    return (
      <ErrorState
        title={words.failedTitle}
        text={words.failedText}
        busy={sites.isFetching}
        onRetry={() => void sites.refetch()}
      />
    );
  }
  return (
    <Figures
      sites={sites.data}
      staleSince={sites.isError ? sites.dataUpdatedAt : undefined}
      onAdd={props.onAdd}
      onCopy={props.onCopy}
      onConfigure={props.onConfigure}
    />
  );
}

interface FiguresProps extends Acts {
  sites: Site[] | undefined;
  staleSince: number | undefined;
}

function Figures(props: FiguresProps) {
  const metrics = useQuery({
    ...metricsQuery,
    enabled: usePermission('metrics:view'),
    refetchInterval: metricsRefreshMs,
  });
  const list = props.sites ?? [];
  const loading = props.sites === undefined;
  const active = list.filter((site) => site.enabled).length;
  return (
    <>
      <CardRow>
        <StatCard label={words.totalSites} value={formatCount(list.length)} loading={loading} />
        <StatCard label={words.activeSites} value={formatCount(active)} loading={loading} />
        <StatCard
          label={words.totalRequests}
          value={metrics.data ? formatCount(metrics.data.totalRequests) : '–'}
          loading={metrics.isLoading}
          stale={metrics.isError}
        />
      </CardRow>
      <SitesPanel {...props} metrics={metrics.data?.sites} />
      <Allowed anyOf={['metrics:view']}>
        <PerformancePanel metrics={metrics.data} />
      </Allowed>
    </>
  );
}

function SitesPanel(props: FiguresProps & { metrics: SiteMetrics[] | undefined }) {
  const [filter, setFilter] = useState('');
  const needle = filter.trim().toLowerCase();
  const shown = props.sites?.filter((site) =>
    [site.name, ...site.domains].some((text) => text.toLowerCase().includes(needle)),
  );
  const search = (
    <TextInput
      className={classes.filter}
      size="xs"
      aria-label={words.searchLabel}
      placeholder={words.searchPlaceholder}
      leftSection={<IconSearch size={14} />}
      value={filter}
      onChange={(event) => setFilter(event.currentTarget.value)}
    />
  );
  return (
    <Panel title={words.title} flush actions={search}>
      {shown === undefined ? (
        <SkeletonRows rows={6} label={messages.common.loading} />
      ) : props.sites?.length === 0 ? (
        <NoSites onAdd={props.onAdd} />
      ) : shown.length === 0 ? (
        <EmptyState icon={IconSearch} title={words.noMatch} text={words.noMatchText} />
      ) : (
        <Stale since={props.staleSince}>
          <SiteList
            sites={shown}
            metrics={props.metrics}
            onCopy={props.onCopy}
            onConfigure={props.onConfigure}
          />
        </Stale>
      )}
    </Panel>
  );
}

function NoSites(props: { onAdd: () => void }) {
  const mayCreate = usePermission('site:create');
  return (
    <EmptyState
      icon={IconWorldPlus}
      title={words.empty}
      text={mayCreate ? words.emptyText : words.emptyReadOnly}
      action={
        mayCreate ? (
          <Button size="xs" variant="light" onClick={props.onAdd}>
            {words.addSite}
          </Button>
        ) : undefined
      }
    />
  );
}
