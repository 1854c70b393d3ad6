import manifest from '../package.json' with { type: 'json' };

/** The product's version, as `portcullis --version` and the monitoring page show it. */
export const productVersion: string = manifest.version;
