import type { LeakRule } from './rule.ts';

const listing = { kind: 'directory_listing', severity: 'low' } as const;

/** Pages that servers make of a folder without an index. The title alone may be an article's: the list counts. */
export const directoryListings: readonly LeakRule[] = [
  {
    ...listing,
    id: 'leak-listing-index-of',
    message: 'directory listing of a web server',
    literal: '<title>Index of ',
    pattern:
      /<title>Index of [^<\n]{1,300}<\/title>[\s\S]{0,2000}?(?:<a href="\.\.\/">|\?C=[NMSD][;&](?:amp;)?O=[AD]|>Parent Directory<)/,
  },
  {
    ...listing,
    id: 'leak-listing-python',
    message: "directory listing of Python's file server",
    literal: '<title>Directory listing for ',
    pattern: /<title>Directory listing for \/[^<\n]{0,300}<\/title>/,
  },
  {
    ...listing,
    id: 'leak-listing-iis',
    message: 'directory listing of IIS',
    literal: '[To Parent Directory]',
    pattern: /<A HREF="[^"\n]{1,300}">\[To Parent Directory\]<\/A>/i,
  },
  {
    ...listing,
    id: 'leak-listing-tomcat',
    message: 'directory listing of Tomcat',
    literal: 'Directory Listing For ',
    pattern: /<title>Directory Listing For (?:\[?\/[^<\n]{0,300})<\/title>/,
  },
  {
    ...listing,
    id: 'leak-listing-jetty',
    message: 'directory listing of Jetty',
    literal: 'Directory: /',
    pattern: /<(?:title|h1)[^>]{0,60}>Directory: \/[^<\n]{0,300}<\/(?:title|h1)>/i,
  },
  {
    ...listing,
    id: 'leak-listing-node',
    message: 'directory listing of a Node server',
    literal: '<title>listing directory /',
    pattern: /<title>listing directory \/[^<\n]{0,300}<\/title>/,
  },
];
