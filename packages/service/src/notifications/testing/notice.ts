import type { Letter, Notice } from '../channel.ts';

/** A message as channels get it. */
export const noticeFor = (letter: Letter): Notice => ({
  ...{ id: 'ntf_1', event: 'test', level: 'info', time: 0, systemName: 'Gate', title: letter.subject },
  lines: [letter.text],
  ...letter,
});
