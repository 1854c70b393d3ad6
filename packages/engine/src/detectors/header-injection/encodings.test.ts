import { describe } from 'vitest';
import { blocks, passes } from '../../testing/payloads.ts';

describe('header_injection, bodies and encodings', () => {
  // a body after the head, characters that a sloppy encoder cuts
  blocks('header_injection', ['x\r\n\r\n<html>hi</html>', '%c4%8d%c4%8aSet-Cookie:x=y']);

  passes([
    'the command reports the error, e.g.,\r\n  link: cannot create link',
    'a library (static)\nStatus: stable\nServer: the big one',
    'From: a@example.com\nTo: b@example.com\nSubject: Re: hello\n\nHi',
    'Hi Bob,\nsee below\n\n-----Original Message-----\nFrom: x@example.com\nTo: y@example.com',
    'první\r\nčćž:',
  ]);
});
