import { compilePcre } from '../regex/index.ts';
import { type Build, built, refused } from './operator.ts';

/** `@verifyCC`: the pattern finds a number whose check digit is that of a payment card. */
export const verifyCard: Build = (argument) => {
  const compiled = compilePcre(argument);
  if (!compiled.ok) return refused(`the pattern can't be translated: ${compiled.reason}`);
  const { exec } = compiled.pattern;
  return built((text, context) => {
    let rest = text;
    for (let tries = 0; tries < maxNumbers; tries += 1) {
      const [found = ''] = exec(rest, context) ?? [];
      if (found === '') return undefined;
      if (hasCheckDigit(found)) return [found];
      rest = rest.slice(rest.indexOf(found) + found.length);
    }
    return undefined;
  });
};

/** A text of nothing but numbers is not searched to its end. */
const maxNumbers = 200;

/** @see ISO/IEC 7812-1, annex B (Luhn) */
function hasCheckDigit(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  let sum = 0;
  for (const [index, digit] of [...digits].toReversed().entries()) {
    const value = Number(digit) * (1 + (index % 2));
    sum += value > 9 ? value - 9 : value;
  }
  return digits.length > 0 && sum % 10 === 0;
}
