import { describe } from 'vitest';
import { blocks, passes, passesWritten } from '../../testing/payloads.ts';

describe('ssrf, notations and names', () => {
  // how an internal address is written
  blocks('ssrf', [
    'http://7f000001.nip.io/',
    'http://7f000001.c0a80001.rbndr.us/',
    'http://make-1.2.3.4-rebind-127.0.0.1-rr.1u.ms/',
    'http://①②⑦.⓪.⓪.①/',
    'http://127。0。0。1/',
    'http://x.example#@127.0.0.1/',
    'http://x.example\\@127.0.0.1/',
    'http://127.0.0.1:80@x.example/',
    '///127.0.0.1',
    'http:127.0.0.1/',
    'http:/127.0.0.1',
    'https:localhost/',
    'http://[64:ff9b::7f00:1]/',
    'http://customer1.app.localhost.my.company.127.0.0.1.nip.io',
    'http://consul.service.consul:8500/',
    'http://host.docker.internal/',
    'http://gateway.docker.internal:2375',
    'http://admin.internal/',
    'http://jenkins.corp/',
    'unix:///var/run/docker.sock',
    'http://ⓛocalhost/',
    'http://0o177.0.0.1/',
    'http://unix:/var/run/docker.sock:/containers/json',
    'http://①⑥⑨。②⑤④。①⑥⑨。②⑤④/',
    'ht\ttp://127.0.0.1/',
    'http:/\t/a:b@172.16.0.1:8080/x',
    'http://\n[::1]/',
    'http:shop.example@127.0.0.1/',
    'http:/user:pw@[0000::1]#x',
    'http://////@2130706433/',
    'http://127%2e0%2e0%2e1/',
    'http://loc%61lhost/',
    'http:user@①②⑦.①.②.③:22',
  ]);

  passes([
    'http://shop.example/a\nhttp://shop.example/b',
    'https:\n\tsee the next line',
    'http:anna@example.com',
    'http://example%2ecom/',
    'http://example.com/internal',
    'https://corp.example.com/',
    'http://example.internal.com/',
    'http://8.8.8.8.nip.io/',
    'http:// or https://',
    'see http:example',
    '①②③',
    'https://日本語.example/。',
    'http://[2001:db8::1]/',
    'http://unix.example.com/var/run',
    'http://0o8.example/',
    'sftp:// or ssh://',
    '<i>smb://[workgroup/]server[:port]/printer</i>',
  ]);

  blocks('ssrf', [
    '<p>Then open <img src="http://127.0.0.1/x"></p>',
    '<p>http://127.0.0.1/x</p>',
    '<p>Then <span style="background:url(http://127.0.0.1/x)">look</span></p>',
  ]);

  blocks('ssrf', ['sftp://x', 'unix:/run/docker.sock', 'smb://[::1]/x', 'gopher://[fe80::1]:6379/_x']);

  // one element in front is a sentence only where people write
  blocks('ssrf', ['<b>a http://127.0.0.1/', '<p>a <a>url(http://127.0.0.1/)', '<b>a http://10.0.0.5/']);
  passesWritten([
    '<p>Open <code>http://localhost:3000</code> with your browser.</p>',
    '<p>Then <strong>open http://127.0.0.1:3000</strong> there</p>',
    '<b>a http://127.0.0.1/',
  ]);
  passes(['Open http://localhost:3000 first']);
});

describe('ssrf, a host named alone', () => {
  blocks('ssrf', [
    '169.254.169.254',
    '169.254.170.2:80',
    'metadata.google.internal/computeMetadata',
    'mutation{fetch(host:"169.254.169.254",port:80){body}}',
  ]);
  passes(['169.254.169.254/32', 'what is 169.254.169.254 used for', '169.254.169.253']);
});
