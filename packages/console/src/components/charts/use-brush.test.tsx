// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { stretchOf, useBrush } from './use-brush.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

/** ten pixels a moment */
const xs = Array.from({ length: 24 }, (_, index) => index * 10);
const onStretch = vi.fn<(first: number, last: number) => void>();

function Field(props: { moments: readonly number[]; choosing: boolean }) {
  const { brush, handlers } = useBrush(props.moments, props.choosing ? onStretch : undefined);
  return (
    <div role="slider" tabIndex={0} aria-valuenow={brush.at ?? -1} {...handlers}>
      {JSON.stringify(stretchOf(brush) ?? null)}
    </div>
  );
}

let field: HTMLElement;

async function draw(options: { moments?: readonly number[]; choosing?: boolean } = {}) {
  const { moments = xs, choosing = true } = options;
  const holder = document.body.appendChild(document.createElement('div'));
  await act(async () => createRoot(holder).render(<Field moments={moments} choosing={choosing} />));
  field = holder.firstElementChild as HTMLElement;
}

const at = () => Number(field.ariaValueNow ?? field.getAttribute('aria-valuenow'));
const chosen = () => JSON.parse(field.textContent ?? '') as [number, number] | null;

async function press(...keys: string[]) {
  for (const combination of keys) {
    const [key = '', shift] = combination.split('+').reverse();
    const event = new KeyboardEvent('keydown', { key, shiftKey: shift === 'Shift', bubbles: true });
    await act(async () => field.dispatchEvent(event));
  }
}

async function pointer(type: string, clientX: number, button = 0) {
  const event = new PointerEvent(type, { clientX, button, pointerId: 1, bubbles: true });
  await act(async () => field.dispatchEvent(event));
}

beforeEach(() => {
  document.body.replaceChildren();
  onStretch.mockReset();
  // A window without layout captures no pointer; every event goes to the field anyway.
  HTMLElement.prototype.setPointerCapture = () => undefined;
});

it('starts at the newest moment and stays within the first and the last', async () => {
  await draw();
  await press('ArrowLeft');
  expect(at()).toBe(23);
  await press('ArrowRight');
  expect(at()).toBe(23);
  await press('PageUp', 'PageUp', 'PageUp');
  expect(at()).toBe(0);
  await press('End');
  expect(at()).toBe(23);
  await press('Home', 'PageDown');
  expect(at()).toBe(10);
});

it('chooses with Shift, from where it stood, and takes the stretch with Enter', async () => {
  await draw();
  await press('Home', 'PageDown', 'Shift+ArrowLeft', 'Shift+ArrowLeft');
  expect(chosen()).toEqual([8, 10]);
  await press('Enter');
  expect(onStretch.mock.calls).toEqual([[8, 10]]);
  expect(chosen()).toBeNull();
});

it('lets go with Escape, with a move without Shift, and when the focus leaves', async () => {
  await draw();
  await press('Shift+Home');
  expect(chosen()).toEqual([0, 23]);
  await press('Escape', 'Enter');
  expect([at(), chosen()]).toEqual([-1, null]);
  await press('Home', 'Shift+ArrowRight', 'ArrowRight');
  expect([at(), chosen()]).toEqual([2, null]);
  await press('Shift+ArrowRight');
  await act(async () => field.dispatchEvent(new FocusEvent('focusout', { bubbles: true })));
  expect([at(), chosen()]).toEqual([-1, null]);
  expect(onStretch).not.toHaveBeenCalled();
});

it('takes what was dragged over, in either direction', async () => {
  await draw();
  await pointer('pointerdown', 152);
  await pointer('pointermove', 97);
  await pointer('pointermove', 38);
  expect(chosen()).toEqual([4, 15]);
  await pointer('pointerup', 38);
  expect(onStretch.mock.calls).toEqual([[4, 15]]);
});

it('takes nothing from a click, from another button, and from a drag that was broken off', async () => {
  await draw();
  await pointer('pointerdown', 50);
  await pointer('pointerup', 50);
  await pointer('pointerdown', 50, 2);
  await pointer('pointermove', 90);
  await pointer('pointerup', 90, 2);
  await pointer('pointerdown', 50);
  await pointer('pointermove', 90);
  await pointer('pointercancel', 90);
  expect([at(), chosen()]).toEqual([-1, null]);
  expect(onStretch).not.toHaveBeenCalled();
});

it('reads moments where nothing can be chosen', async () => {
  await draw({ choosing: false });
  await pointer('pointerdown', 50);
  await pointer('pointermove', 90);
  await press('Shift+ArrowLeft', 'Enter');
  expect([at(), chosen()]).toEqual([8, null]);
});

it('stands still without moments', async () => {
  await draw({ moments: [] });
  await press('ArrowLeft', 'End', 'Enter');
  expect([at(), chosen()]).toEqual([-1, null]);
});
