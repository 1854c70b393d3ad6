import { Button } from '@mantine/core';
import { IconDownload, IconHistory, IconUpload } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Page } from '../../components/page.tsx';
import { Panel } from '../../components/panel.tsx';
import { EmptyState, ErrorState, SkeletonRows, Stale } from '../../components/states.tsx';
import { messages } from '../../lib/messages/index.ts';
import classes from './configuration.module.css';
import { versionsQuery } from './configuration-queries.ts';
import { ExportModal } from './export-modal.tsx';
import { GatewayRefusals } from './gateway-refusals.tsx';
import { ImportModal } from './import-modal.tsx';
import { useMayChangeAll } from './permissions.ts';
import { VersionDrawer } from './version-drawer.tsx';
import { VersionTable } from './version-table.tsx';

const words = messages.configuration;
const refreshMs = 30_000;

/** Every saved change of the configuration, the way back to each, and the whole as a file. */
export function ConfigurationScreen() {
  const { version } = useSearch({ from: '/signed-in/configuration' });
  const navigate = useNavigate();
  const show = (shown: number | undefined) =>
    void navigate({
      to: '/configuration',
      search: shown === undefined ? {} : { version: shown },
      replace: true,
    });
  const versions = useInfiniteQuery({ ...versionsQuery, refetchInterval: refreshMs });
  const list = versions.data?.pages.flat();
  return (
    <Page title={words.title} purpose={words.subtitle} actions={<FileActs />}>
      <GatewayRefusals />
      <Panel title={words.list} flush>
        {list ? (
          <Stale since={versions.isError ? versions.dataUpdatedAt : undefined}>
            {list.length === 0 ? (
              <EmptyState icon={IconHistory} title={words.none} text={words.noneText} />
            ) : (
              <VersionTable versions={list} onShow={show} />
            )}
            {versions.hasNextPage ? (
              <div className={classes.more}>
                <Button
                  variant="subtle"
                  size="xs"
                  disabled={versions.isFetchingNextPage}
                  onClick={() => void versions.fetchNextPage()}
                >
                  {versions.isFetchingNextPage ? words.loading : words.older}
                </Button>
              </div>
            ) : list.length > 0 ? (
              <div className={classes.more}>
                <p className={classes.dim}>{words.kept}</p>
              </div>
            ) : null}
          </Stale>
        ) : versions.isError ? (
          <ErrorState
            title={words.loadFailed}
            busy={versions.isFetching}
            onRetry={() => void versions.refetch()}
          />
        ) : (
          <SkeletonRows rows={6} label={messages.common.loading} />
        )}
      </Panel>
      <VersionDrawer
        version={version}
        newest={version === list?.[0]?.version}
        onClose={() => show(undefined)}
      />
    </Page>
  );
}

function FileActs() {
  const [open, setOpen] = useState<'export' | 'import'>();
  const mayImport = useMayChangeAll();
  const close = () => setOpen(undefined);
  return (
    <>
      {mayImport ? (
        <Button
          variant="default"
          leftSection={<IconUpload size={16} aria-hidden />}
          onClick={() => setOpen('import')}
        >
          {words.import.button}
        </Button>
      ) : null}
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        onClick={() => setOpen('export')}
      >
        {words.export.button}
      </Button>
      <ExportModal opened={open === 'export'} onClose={close} />
      <ImportModal opened={open === 'import'} onClose={close} />
    </>
  );
}
