/** Work in small steps, for who has other things to do in between. What it gives is the same. */
export type Steps<T> = Generator<void, T>;

/** Does all of it now. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
