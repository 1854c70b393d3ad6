export { addressListStore, listAt, listsIssues, notEnded, presentAddressList } from './lists.ts';
export { accessRoutes } from './routes.ts';
