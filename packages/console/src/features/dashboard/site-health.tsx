import { Button } from '@mantine/core';
import type { Metrics, SiteMetrics } from '@portcullis/contract/monitoring';
import { deriveHealth } from '@portcullis/contract/monitoring';
import type { Site } from '@portcullis/contract/sites';
import { IconWorldPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Tone } from '../../components/badge.tsx';
import { Badge } from '../../components/badge.tsx';
import { Panel } from '../../components/panel.tsx';
import { Allowed } from '../../components/permission-gate.tsx';
import { areFew, useFewOnPhone, useSomeRows } from '../../components/some-rows.tsx';
import { EmptyState, SkeletonRows } from '../../components/states.tsx';
import { formatCount } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { siteLabel } from '../../lib/queries/index.ts';
import classes from './site-health.module.css';
import { useSites } from './use-sites.ts';

const words = messages.dashboard;
const tones: Record<string, Tone> = { healthy: 'ok', degraded: 'warning', critical: 'danger' };

/** Whether the sites are so few that they make a strip, not a column. Until they are known, for most it is so. */
export const fewSites = (metrics: Metrics | undefined): boolean => areFew(metrics?.sites.length ?? 0);

/** Every site with its requests, blocks and health. */
export function SiteHealth(props: { metrics: Metrics | undefined }) {
  const sites = props.metrics?.sites;
  const known = new Map(useSites()?.map((site) => [site.id, site]));
  return (
    <Panel title={words.siteHealth} flush>
      {sites === undefined ? (
        <SkeletonRows rows={1} label={messages.common.loading} />
      ) : sites.length === 0 ? (
        <EmptyState
          icon={IconWorldPlus}
          title={words.noSites}
          text={words.noSitesText}
          action={<AddFirst />}
        />
      ) : (
        <Rows sites={sites} known={known} />
      )}
    </Panel>
  );
}

/** Unknown words of another server come first: nobody knows how bad they are. */
const urgency = ['critical', 'degraded', 'healthy', 'disabled'];

/** A site that is off is neither well nor ill. */
function healthOf(site: SiteMetrics, known: Site | undefined): string {
  return known?.enabled === false ? 'disabled' : (site.health ?? deriveHealth(site.uptime, site.errorRate));
}

function Rows(props: { sites: readonly SiteMetrics[]; known: ReadonlyMap<string, Site> }) {
  const { known } = props;
  const urgencyOf = (site: SiteMetrics) => urgency.indexOf(healthOf(site, known.get(site.site_id)));
  const onPhone = useFewOnPhone(props.sites.toSorted((a, b) => urgencyOf(a) - urgencyOf(b)));
  const { shown, foot } = useSomeRows(onPhone.shown);
  return (
    <>
      <ul className={classes.list} data-few={areFew(props.sites.length) || undefined}>
        {shown.map((site) => (
          <SiteRow key={site.site_id} site={site} known={known.get(site.site_id)} />
        ))}
      </ul>
      {onPhone.more ?? foot}
    </>
  );
}

function AddFirst() {
  return (
    <Allowed anyOf={['site:create']}>
      <Button
        variant="light"
        renderRoot={(root) => <Link to="/sites" search={{ site: 'new' }} {...root} />}
        size="xs"
      >
        {words.addSite}
      </Button>
    </Allowed>
  );
}

/** @param props.known the site itself: figures of other servers may come without its name */
function SiteRow(props: { site: SiteMetrics; known: Site | undefined }) {
  const { site, known } = props;
  const health = healthOf(site, known);
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <Link to="/logs" search={{ view: 'history', site: site.site_id }} className={classes.name}>
          {siteLabel(site) || (known && siteLabel(known)) || site.site_id}
        </Link>
        <div className={classes.figures}>
          {words.siteFigures(site.requests, formatCount(site.requests), formatCount(site.blocked))}
        </div>
      </div>
      <Badge tone={tones[health] ?? 'neutral'}>{words.health[health] ?? health}</Badge>
    </li>
  );
}
