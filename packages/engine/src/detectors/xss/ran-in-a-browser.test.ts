import { describe } from 'vitest';
import { blocks, passes } from '../../testing/payloads.ts';

/** Each of these called a function of the page in Chromium, where the context beside it took it. */
describe('xss, what a browser was seen to run', () => {
  // inside a string of a script
  blocks('xss', [
    '"-print?.(1)-"',
    '"+(print)(1)//',
    '";window.onerror=print;throw 1;//',
    "'+new class{constructor(){print(1)}},'",
    '"-alert/*x*/(1)-"',
    '"+[{[Symbol.toPrimitive]:alert}]+\'\'+"',
    "'-new Proxy({},{get:confirm}).x,'",
    '";onunhandledrejection=print;Promise.reject(1);"',
    "');addEventListener('load',print);f('",
    '"-Object.defineProperty(self,\'q\',{get:alert}).q+"',
    '";var{prompt:a}=self;a(1)//',
    '`;x={get a(){print(1)}};x.a-`',
  ]);

  // among the attributes of an element, and as its address
  blocks('xss', [
    '"\nonmouseenter = "\'\'instanceof{[Symbol.hasInstance]:print}"',
    '" autofocus ontoggle="0||print&lpar;1&rpar;"',
    'onscrollend="new Proxy({},{get:alert}).x"',
    "x' onpointerenter=(print)() '",
    '\tonkeydown=\n(print)(1)',
    '<x oncontentvisibilityautostatechange="a=self;a.print(1)" style=display:block;content-visibility:auto>',
    "<img src=x onerror='{onerror=print}throw 1'>",
    '\x01javascript:print.call(null,1)',
    '\x01javascript:queueMicrotask(print)',
  ]);

  passes([
    'onclick=handler is deprecated',
    'the "onclick" = handler',
    "My onclick=handler question: why isn't it onClick?",
    '{"get":"alert"} or {get: alert, set: confirm}',
    'say "hi"; new class of 2024',
    '"A"; new class (starts Monday)',
    "'x', throw the ball",
    '"win" + throw it away',
    'the "answer" [print] button, "x" (print) edition',
    'onload = init; location unknown',
    'x.onload = print the page',
    'the class has: alert, prompt and confirm',
    "'tis on start = go",
    "rock 'n' roll on end = loop",
    '"ontology"="x"',
    '"x" onboard=true',
    '"Best" onplay later = yes',
  ]);
});
