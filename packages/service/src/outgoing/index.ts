export { isMetadataHost } from './addresses.ts';
export { type Post, type PostResult, post, type Reach } from './post.ts';
export { type Resolver, resolveDestination } from './resolve.ts';
