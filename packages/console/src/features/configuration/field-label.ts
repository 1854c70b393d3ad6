import { fieldInWords } from '@portcullis/contract/configuration';
import { inspectedCategories } from '@portcullis/contract/vocabulary';
import { categoryLabel } from '../../lib/messages/categories.ts';

const categories: ReadonlySet<string> = new Set(inspectedCategories);

/** @returns a dotted path of fields as a person reads it: `cors.allowed_origins` is `CORS › allowed origins` */
export function fieldLabel(path: string): string {
  const [first = '', ...others] = path.split('.');
  const parts = others.map((part) => (categories.has(part) ? categoryLabel(part) : fieldInWords(part)));
  const words = fieldInWords(first);
  return [`${words.slice(0, 1).toUpperCase()}${words.slice(1)}`, ...parts].join(' › ');
}
