import { translatePcre } from '../regex/index.ts';
import { type Build, built, refused } from './operator.ts';

/** `@verifyCC`: the pattern finds a number whose check digit is that of a payment card. */
export const verifyCard: Build = (argument) => {
  const translation = translatePcre(argument);
  if (!translation.ok) return refused(`the pattern can't be translated: ${translation.reason}`);
  const pattern = new RegExp(translation.pattern.regex.source, `${translation.pattern.regex.flags}g`);
  return built((text) => {
    for (const [found] of text.matchAll(pattern)) if (hasCheckDigit(found)) return [found];
    return undefined;
  });
};

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
