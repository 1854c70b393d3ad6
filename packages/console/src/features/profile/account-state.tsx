import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Panel } from '../../components/panel.tsx';
import { ErrorState, SkeletonRows } from '../../components/states.tsx';
import { messages } from '../../lib/messages/index.ts';

/** Its content once the data is there; a skeleton before, what failed with Retry otherwise. */
export function AccountState<Data>(props: {
  title: string;
  query: UseQueryResult<Data>;
  failed: string;
  loading: string;
  children: (data: Data) => ReactNode;
}) {
  const { query } = props;
  if (query.data !== undefined) return props.children(query.data);
  return (
    <Panel title={props.title}>
      {query.isError ? (
        <ErrorState
          title={props.failed}
          text={messages.common.errorHint}
          busy={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <SkeletonRows rows={4} label={props.loading} />
      )}
    </Panel>
  );
}
