import { verbose } from '../verbose.ts';
import type { LeakRule } from './rule.ts';

/** Between two frames: line ends and the markup that error pages put there. */
const gap = String.raw`(?:\s|\\n|<br ?\/?>|<\/?(?:li|div|p|span|code)>|&nbsp;){1,30}`;
const twice = (frame: string) => new RegExp(`${frame}${gap}${frame}`);

const trace = { kind: 'stack_trace', severity: 'medium' } as const;

/** A single frame may be talked about in an article; two on end are a trace. */
export const stackTraces: readonly LeakRule[] = [
  {
    ...trace,
    id: 'leak-trace-java',
    message: 'Java stack trace',
    literal: 'at ',
    pattern: twice(
      String.raw`\bat [\w$.\/]{3,200}(?:&lt;init&gt;|<init>)?\((?:[\w$]{1,100}\.(?:java|kt|scala|groovy):\d{1,6}|Native Method|Unknown Source)\)`,
    ),
  },
  {
    ...trace,
    id: 'leak-trace-node',
    message: 'JavaScript stack trace of the server',
    literal: 'at ',
    pattern: twice(
      String.raw`\bat (?:(?:async |new )?[\w$.<>&;]{1,120} (?:\[as \w{1,60}\] )?)?\(?(?:file:\/\/|node:|\/|[A-Z]:\\)[^()\s<]{1,300}:\d{1,6}:\d{1,6}\)?`,
    ),
  },
  {
    ...trace,
    id: 'leak-trace-python',
    message: 'Python traceback',
    literal: 'Traceback (most recent call last)',
    pattern:
      /Traceback \(most recent call last\):?(?:\s|\\n|<[^<>]{1,100}>){0,20}File (?:"|\\"|&quot;|&#34;|<code>)[^"&<\n]{1,300}(?:"|\\"|&quot;|&#34;|<\/code>), line \d/,
  },
  {
    ...trace,
    id: 'leak-trace-dotnet',
    message: '.NET stack trace',
    literal: ':line ',
    pattern: /\bat [\w.`+[\]<>&;]{3,200}\([^()\n]{0,300}\) in [^\n<>]{1,300}:line \d/,
  },
  {
    ...trace,
    id: 'leak-trace-aspnet-page',
    message: 'ASP.NET error page with its stack trace',
    literal: 'Server Error in ',
    pattern: /<h1>Server Error in '[^'\n]{1,200}' Application/i,
  },
  {
    ...trace,
    id: 'leak-trace-php',
    message: 'PHP error with the path of its file',
    literal: ' on line ',
    pattern: verbose()`
      (?:Fatal error|Parse error|Warning|Notice|Deprecated)(?:<\/b>)?:\s[^\n]{1,500}? in (?:<b>)?(?:\/|[A-Z]:\\)
      [^\s<]{1,300}\.(?:php|inc|phtml)(?:<\/b>)? on line (?:<b>)?\d
    `,
  },
  {
    ...trace,
    id: 'leak-trace-ruby',
    message: 'Ruby backtrace',
    literal: '.rb:',
    pattern: twice(
      String.raw`[\w\/.-]{1,200}\.rb:\d{1,6}:in (?:['${'`'}]|&#39;|&#x27;)[^'\n&]{1,120}(?:'|&#39;|&#x27;)`,
    ),
  },
  {
    ...trace,
    id: 'leak-trace-go',
    message: 'Go stack trace',
    literal: 'goroutine ',
    pattern: /\bgoroutine \d{1,9} \[[a-z ,0-9]{1,60}\]:/,
  },
  {
    ...trace,
    id: 'leak-trace-rust',
    message: 'Rust panic',
    literal: "' panicked at ",
    pattern: /thread '[^'\n]{1,100}' panicked at [^\n]{1,200}\.rs:\d/,
  },
  {
    ...trace,
    id: 'leak-trace-django-page',
    message: 'Django debug page',
    literal: 'DEBUG = True',
    pattern: /You(?:'|&#39;|&#x27;|’)re seeing this error because you have <code>DEBUG = True<\/code>/,
  },
  {
    ...trace,
    id: 'leak-trace-debugger-page',
    message: 'interactive debugger of a development server',
    literal: 'Debugger',
    pattern: /<title>[^<]{1,300}\/\/ Werkzeug Debugger<\/title>/,
  },
  {
    ...trace,
    id: 'leak-trace-rails-page',
    message: 'Rails debug page',
    literal: 'Action Controller: Exception caught',
    pattern: /<title>Action Controller: Exception caught<\/title>/,
  },
];
