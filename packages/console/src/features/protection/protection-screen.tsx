import { Button, Select } from '@mantine/core';
import type { Site } from '@portcullis/contract/sites';
import { IconShield, IconWorldPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Columns, Page } from '../../components/page.tsx';
import { Banner, EmptyState, ErrorState, SkeletonRows } from '../../components/states.tsx';
import { messages } from '../../lib/messages/index.ts';
import { siteLabel, sitesQuery } from '../../lib/queries/index.ts';
import { BuiltInDrawer } from './built-in-drawer.tsx';
import { ExceptionsPanel } from './exceptions-panel.tsx';
import { ProtectionCards } from './protection-cards.tsx';
import classes from './protection-screen.module.css';
import { RulesPanel } from './rules-panel.tsx';
import { SecurityLevelPanel } from './security-level-panel.tsx';
import { ThreatAnalysis } from './threat-analysis.tsx';

const words = messages.protection;
const sitesOffered = 6;

/** Rules, security level and threats of one site. */
export function ProtectionScreen() {
  const sites = useQuery(sitesQuery);
  const search = useSearch({ from: '/signed-in/protection' });
  const navigate = useNavigate();
  const chosen = sites.data?.find((site) => site.id === search.site);
  const selector = (
    <Select
      className={classes.selector}
      aria-label={words.selectSite}
      placeholder={words.selectSite}
      searchable
      disabled={!sites.data?.length}
      data={(sites.data ?? []).map((site) => ({ value: site.id, label: optionLabel(site) }))}
      value={chosen?.id ?? null}
      onChange={(site) => void navigate({ to: '/protection', search: site ? { site } : {}, replace: true })}
    />
  );
  return (
    <Page
      title={words.title}
      purpose={words.subtitle}
      actions={
        <>
          <Ways site={chosen} search={search} />
          {selector}
        </>
      }
    >
      {sites.isError && sites.data ? (
        <Banner tone="warning" onRetry={() => void sites.refetch()} busy={sites.isFetching}>
          {words.loadFailed}
        </Banner>
      ) : null}
      <ProtectionCards site={chosen} sites={sites.data ?? []} />
      {sites.data ? (
        <SiteProtection site={chosen} sites={sites.data} ruleId={search.rule} />
      ) : sites.isError ? (
        <ErrorState title={words.loadFailed} onRetry={() => void sites.refetch()} busy={sites.isFetching} />
      ) : (
        <SkeletonRows rows={6} label={messages.common.loading} />
      )}
      <BuiltInDrawer
        site={chosen}
        sought={search.builtIn}
        onClose={() => {
          const { builtIn: _closed, ...rest } = search;
          void navigate({ to: '/protection', search: rest, replace: true });
        }}
      />
    </Page>
  );
}

/** To what the gateways judge by, and to trying a request on it. */
function Ways(props: { site: Site | undefined; search: object }) {
  const { site, search } = props;
  return (
    <>
      <Button
        variant="default"
        renderRoot={(root) => <Link to="/protection" search={{ ...search, builtIn: '' }} {...root} />}
      >
        {words.builtIn.open}
      </Button>
      <Button
        variant="default"
        renderRoot={(root) => <Link to="/protection/test" search={site ? { site: site.id } : {}} {...root} />}
      >
        {messages.tester.open}
      </Button>
    </>
  );
}

const optionLabel = (site: Site): string =>
  site.name === siteLabel(site) ? site.name : `${site.name} · ${siteLabel(site)}`;

function SiteProtection(props: {
  site: Site | undefined;
  sites: readonly Site[];
  ruleId: string | undefined;
}) {
  const { site, sites } = props;
  if (sites.length === 0) {
    return (
      <EmptyState
        icon={IconWorldPlus}
        title={words.noSites}
        text={words.noSitesText}
        action={
          <Button component={Link} to="/sites" size="xs" variant="light">
            {words.toSites}
          </Button>
        }
      />
    );
  }
  if (!site) {
    return (
      <EmptyState icon={IconShield} title={words.selectSiteEmpty} action={<FirstSites sites={sites} />} />
    );
  }
  return (
    <Columns>
      <div className={classes.stack}>
        <RulesPanel key={site.id} siteId={site.id} ruleId={props.ruleId} />
        <ExceptionsPanel site={site} />
      </div>
      <div className={classes.stack}>
        <SecurityLevelPanel site={site} />
        <ThreatAnalysis site={site} />
      </div>
    </Columns>
  );
}

/** A few sites to begin with; the selector has all. */
function FirstSites(props: { sites: readonly Site[] }) {
  return (
    <div className={classes.firstSites}>
      {props.sites.slice(0, sitesOffered).map((site) => (
        <Button
          key={site.id}
          variant="default"
          size="xs"
          renderRoot={(root) => <Link to="/protection" search={{ site: site.id }} {...root} />}
        >
          {siteLabel(site)}
        </Button>
      ))}
    </div>
  );
}
