export { addressListStore, presentAddressList } from './lists.ts';
export { accessRoutes } from './routes.ts';
