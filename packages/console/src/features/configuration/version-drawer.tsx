import { Button } from '@mantine/core';
import type { ConfigurationVersionDetail } from '@portcullis/contract/configuration';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useConfirm } from '../../components/confirm.tsx';
import { DetailDrawer } from '../../components/detail-drawer.tsx';
import { Moment } from '../../components/moment.tsx';
import { Banner, EmptyState, ErrorState, SkeletonRows } from '../../components/states.tsx';
import { ApiError } from '../../lib/api/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { ChangeList } from './change-list.tsx';
import classes from './configuration.module.css';
import { useRestore, versionQuery } from './configuration-queries.ts';
import { useMayChangeAll } from './permissions.ts';

const words = messages.configuration;

/** One version in full, and the way back to it. */
export function VersionDrawer(props: { version: number | undefined; newest: boolean; onClose: () => void }) {
  return (
    <DetailDrawer subject={props.version} size={820} title={words.detail.title} onClose={props.onClose}>
      {(version) => <Detail version={version} newest={props.newest} onRestored={props.onClose} />}
    </DetailDrawer>
  );
}

function Detail(props: { version: number; newest: boolean; onRestored: () => void }) {
  const query = useQuery(versionQuery(props.version));
  const { data } = query;
  const mayRestore = useMayChangeAll();
  if (data) {
    return (
      <>
        <Head detail={data} />
        {mayRestore && !props.newest ? <Restore {...props} /> : null}
        <ChangeList changes={data.changes} />
      </>
    );
  }
  if (!query.isError) return <SkeletonRows rows={6} label={messages.common.loading} />;
  if (query.error instanceof ApiError && query.error.status === 404) {
    return <EmptyState title={words.detail.gone} />;
  }
  return (
    <ErrorState
      title={words.detail.loadFailed}
      busy={query.isFetching}
      onRetry={() => void query.refetch()}
    />
  );
}

function Head(props: { detail: ConfigurationVersionDetail }) {
  const { reason, author, created_at, refused = [] } = props.detail;
  return (
    <div className={classes.head}>
      <p className={classes.sentence}>{reason}</p>
      <p className={classes.dim}>
        <Moment at={created_at} /> {words.detail.by(author)}
      </p>
      {refused.map((one) => (
        <Banner key={one.gateway} tone="danger">
          <strong>{words.detail.refusedBy(one.gateway)}.</strong> {one.reason}
        </Banner>
      ))}
    </div>
  );
}

function Restore(props: { version: number; onRestored: () => void }) {
  const { version } = props;
  const confirm = useConfirm();
  const restore = useRestore(props.onRestored);
  const ask = async () => {
    const agreed = await confirm({
      title: words.restore.title(version),
      text: words.restore.text,
      confirm: words.restore.confirm,
    });
    if (agreed) restore.mutate(version);
  };
  return (
    <Button
      size="xs"
      variant="light"
      leftSection={<IconHistory size={14} aria-hidden />}
      disabled={restore.isPending}
      aria-busy={restore.isPending}
      onClick={() => void ask()}
    >
      {restore.isPending ? words.detail.restoring : words.detail.restore}
    </Button>
  );
}
