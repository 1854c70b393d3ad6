export { startShop } from './shop.ts';
export { demoHost } from './site.ts';
export { visitForever } from './visit.ts';
