/** Samples that the corpus calls attacks and that hold none; they are counted as missed all the same. */
export const mislabelled: readonly { readonly id: string; readonly reason: string }[] = [
  {
    id: 'de/16/8f5208d44b701dd9e7e7b5245d08',
    reason: 'a plain GET of a script of the application, with a Referer that is its start page',
  },
];
