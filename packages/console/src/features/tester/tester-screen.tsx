import { Button } from '@mantine/core';
import { endpoints } from '@portcullis/contract/api';
import type { RuleTest, RuleTestOutcome } from '@portcullis/contract/protection';
import { IconFlask } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { Page } from '../../components/page.tsx';
import { Panel } from '../../components/panel.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../components/states.tsx';
import { call, errorText } from '../../lib/api/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { sitesQuery } from '../../lib/queries/index.ts';
import { RequestForm } from './request-form.tsx';
import { TestResult } from './test-result.tsx';
import classes from './tester.module.css';

const words = messages.tester;

/** Tries a request on a site, and shows what inspection makes of it. */
export function TesterScreen() {
  const { site } = useSearch({ from: '/signed-in/protection/test' });
  const tried = useLocation({ select: ({ state }) => state.tried });
  const navigate = useNavigate();
  const sites = useQuery(sitesQuery);
  const test = useMutation({
    mutationFn: (body: RuleTest) => call(endpoints.protection.test, { body }),
  });
  return (
    <Page
      title={words.title}
      purpose={words.subtitle}
      actions={
        <Button
          variant="default"
          renderRoot={(root) => <Link to="/protection" search={site ? { site } : {}} {...root} />}
        >
          {words.back}
        </Button>
      }
    >
      <div className={classes.columns}>
        <Panel title={words.panel}>
          {sites.data ? (
            <RequestForm
              key={tried?.text}
              tried={tried}
              sites={sites.data}
              siteId={site}
              onSite={(chosen) =>
                void navigate({
                  to: '/protection/test',
                  search: { site: chosen },
                  state: true,
                  replace: true,
                })
              }
              busy={test.isPending}
              error={test.error}
              onTest={test.mutate}
            />
          ) : sites.isError ? (
            <ErrorState
              title={messages.protection.loadFailed}
              busy={sites.isFetching}
              onRetry={() => void sites.refetch()}
            />
          ) : (
            <SkeletonRows rows={6} label={messages.common.loading} />
          )}
        </Panel>
        <Panel title={words.result}>
          <Result outcome={test.data} error={test.error} />
        </Panel>
      </div>
    </Page>
  );
}

function Result(props: { outcome: RuleTestOutcome | undefined; error: Error | null }) {
  return (
    <div aria-live="polite">
      {props.outcome ? (
        <TestResult outcome={props.outcome} />
      ) : props.error ? (
        <ErrorState title={words.failed} text={errorText(props.error, messages.common.errorHint)} />
      ) : (
        <EmptyState icon={IconFlask} title={words.none} text={words.noneText} />
      )}
    </div>
  );
}
