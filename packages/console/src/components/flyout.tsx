import type { ReactNode, Ref } from 'react';
import { useImperativeHandle, useRef, useState } from 'react';
import classes from './flyout.module.css';

/** What a flyout lets its owner do. */
export interface FlyoutHandle {
  close: () => void;
}

/**
 * A panel below the header's right end, opened by the button that has its id as `popoverTarget`. The browser
 * closes it on Escape or a click elsewhere and gives the focus back; its content lives only while it is open.
 */
export function Flyout(props: {
  id: string;
  /** names the panel; a menu inside names itself */
  label?: string;
  ref?: Ref<FlyoutHandle>;
  onOpen?: (panel: HTMLElement) => void;
  children: ReactNode;
}) {
  const panel = useRef<HTMLElement>(null);
  const [open, setOpen] = useState(false);
  useImperativeHandle(props.ref, () => ({ close: () => panel.current?.hidePopover() }), []);
  return (
    <section
      ref={panel}
      id={props.id}
      popover="auto"
      {...(props.label === undefined ? {} : { role: 'dialog', 'aria-label': props.label })}
      className={classes.flyout}
      onBeforeToggle={(event) => setOpen(event.newState === 'open')}
      onToggle={(event) => {
        if (event.newState === 'open' && panel.current) props.onOpen?.(panel.current);
      }}
    >
      {open ? props.children : null}
    </section>
  );
}
