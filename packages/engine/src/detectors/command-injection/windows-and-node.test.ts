import { describe } from 'vitest';
import { blocks, passes } from '../../testing/payloads.ts';

describe('command_injection, PowerShell and templates of Node.js', () => {
  blocks('command_injection', [
    "; & ('i'+'ex') 'whoami'",
    ";&(gcm i*x) 'whoami'",
    "; .('ie'+'x') whoami",
    "; &('{1}{0}'-f'ex','i') 'whoami'",
    '; [char]105+[char]101+[char]120',
    "; ('iex','x')[0]|%{&$_ whoami}",
    '& echo %PATH:~0,1%',
    '%ProgramFiles:~10,1%whoami',
    "'; Start-Sleep 5; '",
    '"; Start-Sleep -s 5 #',
    '; gwmi win32_bios',
    '; gci c:\\ -recurse',
    '; saps calc',
    '; Add-Type -AssemblyName System',
    '$($env:USERNAME)',
    '& powershell whoami',
    '<% for(x in this){ %><%= x %><% } %>',
    '<%= JSON.stringify(locals) %>',
    '<%= _.keys(this) %>',
    "<% var x = require('fs') %>",
    "<%- include('../../secret.ejs') %>",
    '!{this.process.env}',
    '{{= process.pid }}',
    '{{ secret | dump }}',
  ]);
  passes([
    "let's start; sleep 5 hours",
    'the price (a + b) & (c)',
    'progress: 100%:~ done',
    'rock & (roll)',
    '<%= title %>',
    "<%- include('partials/head') %>",
    '{{ name | upper }} and {{ a }}',
    'the core dump; {{ file }}',
    'gc collects; gci too',
    'PATH is in $env:PATH on Windows',
  ]);
});
