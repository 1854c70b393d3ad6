export { exportText } from './export.ts';
export { type ConfigurationFileParts, importText, type TextOptions } from './import-text.ts';
export { configurationFileRoutes } from './routes.ts';
