export { type Countries, openCountries } from './countries.ts';
