/**
 * A pattern over several lines, as Perl's `x` and Python's `re.VERBOSE` have it: the lines are joined without what
 * stands around them, so indentation may show the groups. Lines that begin with `# ` say what follows. A space within a
 * line counts; `` \` `` is a back quote.
 * @param flags of the pattern
 * @returns a tag; it throws what `RegExp` throws where the text is no pattern
 */
export function verbose(flags = ''): (text: TemplateStringsArray, ...parts: readonly RegExp[]) => RegExp {
  return ({ raw }, ...parts) => {
    const text = raw.map((piece, index) => piece + (parts[index]?.source ?? '')).join('');
    const lines = text.split('\n').map((line) => line.trim());
    return new RegExp(
      lines
        .filter((line) => !line.startsWith('# '))
        .join('')
        .replaceAll('\\`', '`'),
      flags,
    );
  };
}
