import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate, Outlet, useMatches, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { PageGate } from '../../components/permission-gate.tsx';
import { ErrorState } from '../../components/states.tsx';
import { messages } from '../../lib/messages/index.ts';
import { usePreferences } from '../../lib/preferences/index.ts';
import { currentUserQuery } from '../../lib/session/index.ts';
import { Header } from './header.tsx';
import classes from './shell.module.css';
import { Sidebar } from './sidebar.tsx';

const words = messages.shell;
/** Where 2FA is set up, which may come before everything else. */
const setupPath = '/profile/2fa';
/** Only a narrow screen needs it, and only once it is opened. */
const MenuDrawer = lazy(async () => ({ default: (await import('./menu-drawer.tsx')).MenuDrawer }));

/** The frame of every signed-in screen: sidebar (a drawer on a phone), header, content behind its permission. */
export function Shell() {
  const { display } = usePreferences();
  const [chosen, setChosen] = useState<boolean>();
  const [drawer, setDrawer] = useState<boolean>();
  const collapsed = chosen ?? display.sidebar_collapsed;
  const path = useRouterState({ select: (state) => state.location.pathname });
  const title = useTitle();

  // A page reached from the drawer closes it.
  useEffect(() => setDrawer((open) => (open === undefined || path === '' ? open : false)), [path]);

  return (
    <div className={classes.shell} data-collapsed={collapsed || undefined}>
      <a href="#content" className={classes.skip}>
        {words.skipToContent}
      </a>
      <aside className={classes.sidebar}>
        <Sidebar collapsed={collapsed} onToggle={() => setChosen(!collapsed)} />
      </aside>
      {drawer === undefined ? null : (
        <Suspense>
          <MenuDrawer opened={drawer} onClose={() => setDrawer(false)} />
        </Suspense>
      )}
      <div className={classes.main}>
        <Header title={title} onMenu={() => setDrawer(true)} />
        <main className={classes.content} id="content" tabIndex={-1}>
          <Content />
        </main>
      </div>
    </div>
  );
}

function useTitle(): string {
  const title =
    useMatches({ select: (matches) => matches.at(-1)?.staticData.title }) ?? words.titles.dashboard;
  useEffect(() => {
    document.title = `${title} · ${messages.common.productName}`;
  }, [title]);
  return title;
}

/** The route, once it is known who asks and that they may. */
function Content() {
  const user = useQuery(currentUserQuery);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const anyOf = useMatches({ select: (matches) => matches.at(-1)?.staticData.anyOf });
  if (user.data?.totp_setup_required && path !== setupPath) return <Navigate to={setupPath} replace />;
  if (user.data)
    return anyOf ? (
      <PageGate anyOf={anyOf}>
        <Outlet />
      </PageGate>
    ) : (
      <Outlet />
    );
  if (user.isError) {
    return (
      <ErrorState
        title={messages.common.serviceAway}
        text={messages.common.serviceAwayDetail}
        busy={user.isFetching}
        onRetry={() => void user.refetch()}
      />
    );
  }
  return (
    <div className={classes.loading}>
      <Loader size="sm" aria-label={messages.common.loading} />
    </div>
  );
}
