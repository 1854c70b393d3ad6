import { z } from 'zod';

/** An operator's own words on one kind of page. Plain text: markup in it is shown, not interpreted. */
export const PageText = z.object({
  /** empty keeps the built-in wording */
  title: z.string().trim().max(120).default(''),
  /** an empty line starts a paragraph; empty keeps the built-in wording */
  message: z.string().trim().max(4000).default(''),
});
export type PageText = z.infer<typeof PageText>;

export const pageKinds = ['block', 'challenge', 'error', 'maintenance'] as const;
export type PageKind = (typeof pageKinds)[number];

/** What a site's visitors read where the gateway answers itself. */
export const SitePages = z.object({
  block: PageText.prefault({}),
  challenge: PageText.prefault({}),
  error: PageText.prefault({}),
  maintenance: PageText.prefault({}),
  /** how to reach the operator, on every page: an address of a page or of e-mail */
  contact: z.string().trim().max(320).default(''),
});
export type SitePages = z.infer<typeof SitePages>;

/** A page to be drawn from wordings that need not be saved. */
export const PagePreview = z.object({ kind: z.enum(pageKinds), pages: SitePages });
export type PagePreview = z.infer<typeof PagePreview>;

/** The page as a visitor gets it. */
export const DrawnPage = z.object({ html: z.string() });
