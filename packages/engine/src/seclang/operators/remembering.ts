import type { Found } from './operator.ts';

const longestKept = 512;
const perGeneration = 1024;

/**
 * Remembers what a costly test said of short texts, since headers come again and again: two generations, of
 * which the older is forgotten when the younger is full.
 */
export function remembering(test: (text: string) => Found | undefined): (text: string) => Found | undefined {
  let young = new Map<string, Found | undefined>();
  let old = new Map<string, Found | undefined>();
  return (text) => {
    if (text.length > longestKept) return test(text);
    const known = young.get(text);
    if (known !== undefined || young.has(text)) return known;
    const found = old.has(text) ? old.get(text) : test(text);
    if (young.size >= perGeneration) {
      old = young;
      young = new Map();
    }
    young.set(text, found);
    return found;
  };
}
