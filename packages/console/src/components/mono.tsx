import classes from './mono.module.css';

/** An address, path, id or payload. With `max`, long text loses its middle; the whole stands in the title. */
export function Mono(props: { children: string; max?: number; dim?: boolean }) {
  const text = props.children;
  const shown = props.max && text.length > props.max ? cutMiddle(text, props.max) : text;
  return (
    <span
      className={classes.mono}
      data-dim={props.dim || undefined}
      title={shown === text ? undefined : text}
    >
      {shown}
    </span>
  );
}

/** `abcdefghij`, 7 → `abc…hij`. */
export function cutMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const tail = Math.floor((max - 1) / 2);
  return `${text.slice(0, max - 1 - tail)}…${text.slice(text.length - tail)}`;
}
