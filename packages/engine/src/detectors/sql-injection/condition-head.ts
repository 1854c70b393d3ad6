import { readSql, type SqlContext } from './lexer.ts';

/** From here on a condition is sought where a text, or what follows its first quote, begins, and nowhere else. */
export const longText = 400;

/** An escape before the first quote: then all before quotes are read as spaces. */
export const escapedQuote = /^[^'"\\]{0,20}\\['"]/;

/** What is read of a text behind the quote, in characters, and how far a token looks ahead. */
const headLength = 256;
const lookahead = 48;
const headTokens = 8;

/**
 * Whether a text can hold a structure of a condition: of a long one the first two tokens tell, where reading all that
 * counts takes twenty times as long. Letters as in `lexer.ts`.
 */
export function mayHoldCondition(text: string): boolean {
  if (text.length < longText || beginsAsCondition(text, false)) return true;
  // A plus may stand for a space.
  return text.includes('+') && !text.includes(' ') && beginsAsCondition(text, true);
}

function beginsAsCondition(text: string, isSpaced: boolean): boolean {
  return quotes.some((quote) => {
    const at = quote === '' ? 0 : text.indexOf(quote);
    return at >= 0 && mayGoOn(headOf(text, quote, at, isSpaced), quote);
  });
}

const quotes: readonly SqlContext[] = ['', "'", '"'];

function headOf(text: string, quote: SqlContext, at: number, isSpaced: boolean): string {
  const cut = text.slice(0, at + headLength);
  const spaced = isSpaced ? cut.replaceAll('+', ' ') : cut;
  return quote !== '' && escapedQuote.test(text) ? spaced.replace(/\\(?=['"])/g, ' ') : spaced;
}

function mayGoOn(head: string, context: SqlContext): boolean {
  const { shape, ends } = readSql(head, context, headTokens);
  // What the cut may have changed tells nothing.
  const certain = ends.findIndex((end) => end + lookahead > head.length);
  const known = (certain < 0 ? shape : shape.slice(0, certain)).replaceAll('c', '');
  const [first, second] = context === '' ? known : known.replaceAll(')', '');
  if (first === undefined) return true;
  if (first === 's')
    return second === undefined || (context === '' ? ')lpBHUI' : 'lpoa,;KBHUI').includes(second);
  if (first === 'n') return second === undefined || ')lpaof(BHUI'.includes(second);
  return '(a)fB'.includes(first);
}
