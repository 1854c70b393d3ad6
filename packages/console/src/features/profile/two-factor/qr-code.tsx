import { create } from 'qrcode';
import { useMemo } from 'react';
import classes from './two-factor.module.css';

/** Quiet zone around the code, in modules, that readers need: ISO/IEC 18004 §9.1. */
const margin = 4;

/** A QR code drawn here: what it holds never leaves the browser. Dark on white in both themes, as readers expect. */
export function QrCode(props: { text: string; label: string }) {
  const { size, path } = useMemo(() => draw(props.text), [props.text]);
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={props.label}
      shapeRendering="crispEdges"
    >
      <path className={classes.qrGround} d={`M0 0h${size}v${size}H0z`} />
      <path className={classes.qrModules} d={path} />
    </svg>
  );
}

function draw(text: string): { size: number; path: string } {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  let path = '';
  for (let row = 0; row < modules.size; row += 1) {
    for (let column = 0; column < modules.size; column += 1) {
      if (modules.get(row, column)) path += `M${column + margin} ${row + margin}h1v1h-1z`;
    }
  }
  return { size: modules.size + 2 * margin, path };
}
