import { Skeleton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { endpoints } from '@portcullis/contract/api';
import type { PageKind, SitePages } from '@portcullis/contract/sites';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ErrorState } from '../../components/states.tsx';
import { call } from '../../lib/api/index.ts';
import { messages } from '../../lib/messages/index.ts';
import classes from './page-preview.module.css';

const words = messages.sites.form.pages;
const settleMs = 300;

/** A page as the gateway draws it, from wordings that need not be saved; follows the typing. */
export function PagePreview(props: { kind: PageKind; pages: SitePages }) {
  const { kind } = props;
  const [pages] = useDebouncedValue(props.pages, settleMs);
  const drawn = useQuery({
    queryKey: ['page-preview', kind, pages],
    queryFn: ({ signal }) => call(endpoints.sites.previewPage, { body: { kind, pages } }, signal),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  if (drawn.data) return <Frame title={words.previewOf(words.kinds[kind])} html={drawn.data.html} />;
  if (drawn.isError) {
    return (
      <ErrorState title={words.previewFailed} busy={drawn.isFetching} onRetry={() => void drawn.refetch()} />
    );
  }
  return <Skeleton height={300} />;
}

/**
 * The document in a frame of its own, where nothing can run: the sandbox allows no script. The console's policy
 * refuses its inline style, so that is handed over as a sheet, for which the frame keeps the console's origin.
 */
function Frame(props: { title: string; html: string }) {
  const { document: bare, style } = useMemo(() => withoutStyle(props.html), [props.html]);
  return (
    <iframe
      className={classes.frame}
      title={props.title}
      sandbox="allow-same-origin"
      srcDoc={bare}
      onLoad={({ currentTarget: { contentDocument, contentWindow } }) => {
        const view = contentWindow as (Window & typeof globalThis) | null;
        if (!contentDocument || !view) return;
        const sheet = new view.CSSStyleSheet();
        sheet.replaceSync(style);
        contentDocument.adoptedStyleSheets = [sheet];
      }}
    />
  );
}

/** Told apart as text, since parsing it as a document would already try the style. */
function withoutStyle(html: string): { document: string; style: string } {
  const style = /<style[^>]*>([\s\S]*?)<\/style>/;
  return { document: html.replace(style, ''), style: style.exec(html)?.[1] ?? '' };
}
