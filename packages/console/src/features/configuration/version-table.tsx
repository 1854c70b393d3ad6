import { Button } from '@mantine/core';
import type { ConfigurationVersion } from '@portcullis/contract/configuration';
import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { RelativeTime } from '../../components/moment.tsx';
import { messages } from '../../lib/messages/index.ts';
import classes from './configuration.module.css';

const words = messages.configuration;
const kindsOfChange = ['created', 'updated', 'deleted'] as const;

/** Saved changes, newest first: who, when, why, how much. */
export function VersionTable(props: {
  versions: readonly ConfigurationVersion[];
  onShow: (version: number) => void;
}) {
  const newest = props.versions[0]?.version;
  const columns: Column<ConfigurationVersion>[] = [
    {
      key: 'reason',
      header: words.columns.reason,
      primary: true,
      cell: (one) => <Reason version={one} newest={one.version === newest} />,
    },
    {
      key: 'version',
      header: words.columns.version,
      cell: (one) => <span className="tabular">{words.version(one.version)}</span>,
    },
    {
      key: 'when',
      header: words.columns.when,
      cell: (one) => (
        <span className={classes.whole}>
          <RelativeTime at={one.created_at} />
        </span>
      ),
    },
    { key: 'author', header: words.columns.author, cell: (one) => one.author },
    {
      key: 'changes',
      header: words.columns.changes,
      cell: (one) => <span className={classes.whole}>{summary(one)}</span>,
    },
    {
      key: 'acts',
      header: words.columns.acts,
      quiet: true,
      corner: true,
      align: 'end',
      cell: (one) => (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={words.showOf(one.version)}
          onClick={() => props.onShow(one.version)}
        >
          {words.show}
        </Button>
      ),
    },
  ];
  return (
    <DataTable
      label={words.list}
      columns={columns}
      rows={props.versions}
      rowKey={(one) => String(one.version)}
    />
  );
}

function Reason(props: { version: ConfigurationVersion; newest: boolean }) {
  const { reason, refused } = props.version;
  return (
    <span className={classes.reason}>
      <span>{reason}</span>
      {refused && refused.length > 0 ? (
        <Badge tone="danger">{words.refused(refused.length)}</Badge>
      ) : props.newest ? (
        <Badge tone="ok">{words.inForce}</Badge>
      ) : null}
    </span>
  );
}

function summary({ changes }: ConfigurationVersion): string {
  const parts = kindsOfChange.flatMap((kind) => {
    const count = changes.filter(({ change }) => change === kind).length;
    return count === 0 ? [] : [words.counts[kind](count)];
  });
  return parts.length === 0 ? words.noChanges : parts.join(', ');
}
