import { expand, isConstant, parseTemplate } from '../macros/index.ts';
import { type Build, built, whole } from './operator.ts';

function comparing(test: (value: number, wanted: number) => boolean): Build {
  return (argument) => {
    const template = parseTemplate(argument);
    if (isConstant(template)) {
      const wanted = readInteger(argument);
      return built((text) => (test(readInteger(text), wanted) ? whole(text) : undefined));
    }
    return built((text, macros) =>
      test(readInteger(text), readInteger(expand(template, macros))) ? whole(text) : undefined,
    );
  };
}

/** The integer at the head of a text as C's atoi reads it; 0 where there is none. */
export function readInteger(text: string): number {
  const value = Number.parseInt(text, 10);
  return Number.isNaN(value) ? 0 : value;
}

/** `@eq` */
export const eq = comparing((value, wanted) => value === wanted);
/** `@ge` */
export const ge = comparing((value, wanted) => value >= wanted);
/** `@gt` */
export const gt = comparing((value, wanted) => value > wanted);
/** `@le` */
export const le = comparing((value, wanted) => value <= wanted);
/** `@lt` */
export const lt = comparing((value, wanted) => value < wanted);
