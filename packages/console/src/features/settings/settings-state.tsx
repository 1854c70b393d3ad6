import { IconEye } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Panel } from '../../components/panel.tsx';
import { ErrorState, SkeletonRows } from '../../components/states.tsx';
import { messages } from '../../lib/messages/index.ts';
import { usePermission } from '../../lib/session/index.ts';
import classes from './settings-state.module.css';

const words = messages.settings;

/** One tab: its form once the stored values are there, its skeleton before, what failed otherwise. */
export function SettingsState<Values>(props: {
  title: string;
  query: UseQueryResult<Values>;
  /** everyone may change these: they are their own */
  own?: boolean;
  children: (values: Values, mayEdit: boolean) => ReactNode;
}) {
  const { query, title } = props;
  const mayEdit = usePermission('settings:update') || props.own === true;
  if (query.data !== undefined) {
    return (
      <>
        {mayEdit ? null : (
          <p className={classes.note}>
            <IconEye size={16} stroke={1.6} aria-hidden />
            {words.readOnly}
          </p>
        )}
        {props.children(query.data, mayEdit)}
      </>
    );
  }
  return (
    <Panel title={title}>
      {query.isError ? (
        <ErrorState
          title={words.loadFailed}
          text={words.loadFailedText}
          busy={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <SkeletonRows rows={6} label={words.loading} />
      )}
    </Panel>
  );
}
