import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import classes from './quiet-link.module.css';

/** A way to another screen, in the corner of a panel: small, and underlined when it is pointed at. */
export const QuietLink = createLink(({ children, ...rest }: ComponentProps<'a'>) => (
  <a {...rest} className={classes.link}>
    {children}
  </a>
));
