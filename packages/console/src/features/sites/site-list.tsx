import { ActionIcon, Button, Tooltip } from '@mantine/core';
import type { SiteMetrics } from '@portcullis/contract/monitoring';
import type { Site } from '@portcullis/contract/sites';
import { IconCircleCheck, IconCircleOff, IconCopyPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { Tone } from '../../components/badge.tsx';
import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Mono } from '../../components/mono.tsx';
import { formatCount, formatPercent } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { usePermission } from '../../lib/session/index.ts';
import classes from './site-list.module.css';

const words = messages.sites;
const domainsShown = 2;
const levelTones: Record<string, Tone> = { off: 'warning', under_attack: 'danger' };

/** One row a site: name, domains, level, state and its figures. */
export function SiteList(props: {
  sites: Site[];
  metrics: SiteMetrics[] | undefined;
  onCopy: (siteId: string) => void;
  onConfigure: (siteId: string) => void;
}) {
  const { metrics, onCopy, onConfigure } = props;
  const mayEdit = usePermission('site:update');
  const mayCreate = usePermission('site:create');
  const columns = useMemo((): Column<Site>[] => {
    const figures = new Map(metrics?.map((entry) => [entry.site_id, entry]));
    const figure = (read: (entry: SiteMetrics) => string) => (site: Site) => {
      const entry = figures.get(site.id);
      return entry ? read(entry) : '–';
    };
    return [
      { key: 'name', header: words.form.name, primary: true, cell: (site) => <Name site={site} /> },
      {
        key: 'state',
        header: words.state,
        cell: (site) => <State site={site} health={figures.get(site.id)?.health} />,
      },
      {
        key: 'level',
        header: words.form.securityLevel,
        cell: (site) => <Level level={site.security_level} />,
      },
      {
        key: 'requests',
        header: words.requests,
        align: 'end',
        cell: figure((entry) => formatCount(entry.requests)),
      },
      {
        key: 'blocked',
        header: words.blocked,
        align: 'end',
        cell: figure((entry) => formatCount(entry.blocked)),
      },
      { key: 'uptime', header: words.uptime, align: 'end', cell: figure(uptime) },
      ...(mayEdit || mayCreate
        ? [actsColumn(mayCreate ? onCopy : undefined, mayEdit ? onConfigure : undefined)]
        : []),
    ];
  }, [metrics, onCopy, onConfigure, mayEdit, mayCreate]);
  return <DataTable label={words.title} columns={columns} rows={props.sites} rowKey={(site) => site.id} />;
}

const uptime = (entry: SiteMetrics): string =>
  entry.uptime === undefined ? '–' : formatPercent(entry.uptime, 1);

type Act = (siteId: string) => void;

function actsColumn(onCopy: Act | undefined, onConfigure: Act | undefined): Column<Site> {
  return {
    key: 'configure',
    header: words.configure,
    quiet: true,
    corner: true,
    align: 'end',
    cell: (site) => (
      <span className={classes.acts}>
        {onCopy ? (
          <Tooltip label={words.addLike(site.name)}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={26}
              aria-label={words.addLike(site.name)}
              onClick={() => onCopy(site.id)}
            >
              <IconCopyPlus size={16} />
            </ActionIcon>
          </Tooltip>
        ) : null}
        {onConfigure ? (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={words.configureSite(site.name)}
            onClick={() => onConfigure(site.id)}
          >
            {words.configure}
          </Button>
        ) : null}
      </span>
    ),
  };
}

function Name(props: { site: Site }) {
  const { name, domains, description } = props.site;
  const hidden = domains.length - domainsShown;
  return (
    <div className={classes.name}>
      <span className={classes.title}>{name}</span>
      <span className={classes.domains}>
        {domains.slice(0, domainsShown).map((domain) => (
          <Mono key={domain} max={46} dim>
            {domain}
          </Mono>
        ))}
        {hidden > 0 ? (
          <span className={classes.more} title={domains.slice(domainsShown).join('\n')}>
            {words.moreDomains(hidden)}
          </span>
        ) : null}
      </span>
      {description ? <span className={classes.description}>{description}</span> : null}
    </div>
  );
}

/** Enabled says what was asked for; a site in trouble says so beside it, as after a mistyped upstream. */
function State(props: { site: Site; health: string | undefined }) {
  const { enabled, maintenance, watch_only } = props.site;
  const Icon = enabled ? IconCircleCheck : IconCircleOff;
  const trouble = enabled ? words.trouble[props.health ?? ''] : undefined;
  return (
    <span className={classes.state} data-enabled={enabled || undefined}>
      <Icon size={16} stroke={1.75} aria-hidden />
      {enabled ? words.enabled : words.disabled}
      {trouble ? (
        <Badge tone={props.health === 'critical' ? 'danger' : 'warning'} title={words.troubleText}>
          {trouble}
        </Badge>
      ) : null}
      {enabled && maintenance ? (
        <Badge tone="warning" title={words.maintenanceText}>
          {words.maintenance}
        </Badge>
      ) : null}
      {enabled && watch_only ? (
        <Badge tone="info" title={words.watchedText}>
          {words.watched}
        </Badge>
      ) : null}
    </span>
  );
}

function Level(props: { level: string }) {
  return (
    <Badge tone={levelTones[props.level] ?? 'neutral'}>{words.levels[props.level] ?? props.level}</Badge>
  );
}
