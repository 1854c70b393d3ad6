export { countryDatabase } from './country-database.ts';
