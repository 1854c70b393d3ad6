import { describe, expect, it } from 'vitest';
import { expectLinear } from '../testing/growth.ts';
import { leakKinds } from '../vocabulary.ts';
import { inspectResponse } from './index.ts';
import { leakRules } from './inspect-response.ts';

const all = new Set(leakKinds);
const base64 = 'MIIEpAIBAAKCAQEA7bq98eFzRk0Zt1hY3Q5mVw2n4J6';

/** One answer per rule, as the named software writes it. */
const leaks: Record<string, string> = {
  'leak-key-pem': `{"key":"-----BEGIN RSA PRIVATE KEY-----\\n${base64}"}`,
  'leak-key-pgp': `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n${base64}\n`,
  'leak-key-putty': 'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: a\n',
  'leak-key-aws': '[default]\naws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\n',
  'leak-source-php': '<html><body>\n<?php $db = connect("localhost", "root", "x"); ?></body>',
  'leak-source-jsp-asp': '<%@ page import="java.util.*" %>\n<html></html>',
  'leak-source-script': '#!/usr/bin/env python3\nprint(1)\n',
  'leak-source-java': 'package com.example.shop;\n\nimport java.util.List;\n',
  'leak-source-python': 'import os\nfrom flask import Flask, request\n\napp = Flask(__name__)\n',
  'leak-source-environment': '# settings\nAPP_ENV=production\nDB_HOST=localhost\n\nDB_PASSWORD=hunter22\n',
  'leak-source-git': '[core]\n\trepositoryformatversion = 0\n\tbare = false\n',
  'leak-sql-mysql-syntax':
    'You have an error in your SQL syntax; check the manual that corresponds to your MariaDB server version',
  'leak-sql-mysql-call': '<b>Warning</b>: mysqli_fetch_array() expects parameter 1 to be mysqli_result',
  'leak-sql-state': "SQLSTATE[42000]: Syntax error or access violation: 1064 near ''' at line 1",
  'leak-sql-postgres': 'ERROR:  syntax error at or near "\'" LINE 1: SELECT',
  'leak-sql-postgres-driver': 'PG::SyntaxError: ERROR at or near',
  'leak-sql-oracle': 'ORA-01756: quoted string not properly terminated',
  'leak-sql-server-quote': 'Unclosed quotation mark after the character string',
  'leak-sql-server-driver': '[Microsoft][ODBC Driver 17 for SQL Server][SQL Server]Incorrect syntax near',
  'leak-sql-server-client': 'System.Data.SqlClient.SqlException (0x80131904): Incorrect syntax',
  'leak-sql-sqlite': '{"error":"SQLITE_ERROR: near \\"\'\\": syntax error"}',
  'leak-sql-sqlite-python': 'sqlite3.OperationalError: unrecognized token',
  'leak-sql-jdbc': 'java.sql.SQLSyntaxErrorException: Unknown column',
  'leak-sql-db2': 'DB2 SQL error: SQLCODE: -104, SQLSTATE: 42601',
  'leak-trace-java':
    'Exception in thread "main"\n\tat com.example.Cart.total(Cart.java:42)\n\tat com.example.Main.main(Main.java:7)\n',
  'leak-trace-node':
    'TypeError: x is undefined<br> &nbsp; &nbsp;at total (/srv/app/cart.js:10:15)<br> &nbsp; &nbsp;at Layer.handle [as handle_request] (/srv/app/node_modules/express/lib/router/layer.js:95:5)',
  'leak-trace-python': 'Traceback (most recent call last):\n  File "/srv/app/views.py", line 12, in get',
  'leak-trace-dotnet': '   at Shop.Cart.Total(Int32 id) in C:\\build\\Shop\\Cart.cs:line 42',
  'leak-trace-aspnet-page': "<span><H1>Server Error in '/' Application.<hr width=100%></H1>",
  'leak-trace-php':
    '<br />\n<b>Warning</b>:  Undefined variable $x in <b>/var/www/html/index.php</b> on line <b>3</b><br />',
  'leak-trace-ruby': "app/models/cart.rb:12:in `total'\napp/controllers/carts_controller.rb:7:in `show'",
  'leak-trace-go': 'panic: runtime error\n\ngoroutine 19 [running]:\nmain.total(0x0)',
  'leak-trace-rust': "thread 'main' panicked at src/cart.rs:12:5:\nindex out of bounds",
  'leak-trace-django-page':
    'You&#x27;re seeing this error because you have <code>DEBUG = True</code> in your',
  'leak-trace-debugger-page': '<title>ZeroDivisionError: division by zero // Werkzeug Debugger</title>',
  'leak-trace-rails-page': '<title>Action Controller: Exception caught</title>',
  'leak-listing-index-of':
    '<html><head><title>Index of /backup/</title></head><body><h1>Index of /backup/</h1><hr><pre><a href="../">../</a>',
  'leak-listing-python': '<title>Directory listing for /srv/</title>',
  'leak-listing-iis': '<A HREF="/">[To Parent Directory]</A><br>',
  'leak-listing-tomcat': '<title>Directory Listing For [/uploads/]</title>',
  'leak-listing-jetty': '<h1 class="title">Directory: /static/</h1>',
  'leak-listing-node': '<title>listing directory /files</title>',
};

/** What only talks of such things, or is meant to be served. */
const nearMisses: Record<string, string> = {
  'a tutorial on keys': '<pre>-----BEGIN RSA PRIVATE KEY-----\n(your key goes here)\n-----END</pre>',
  'a public key': `-----BEGIN PUBLIC KEY-----\n${base64}\n-----END PUBLIC KEY-----`,
  'a certificate': `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----`,
  'a placeholder for a key': 'aws_secret_access_key = YOUR_SECRET_ACCESS_KEY',
  'a lesson on PHP with its brackets escaped': '<p>Start with</p><code>&lt;?php echo 1; ?&gt;</code>',
  'PHP within a JSON answer of a code host': '{"content":"see the tag <?php in the file"}',
  'an XML document': '<?xml version="1.0"?><feed></feed>',
  'a page about shebangs': '<p>Scripts start with <code>#!/bin/sh</code></p>',
  'a sentence with package and import': 'Every package is imported; import taxes apply.',
  'an article on SQL errors':
    '<p>The message “You have an error in your SQL syntax” means that a quote is open.</p>',
  'a word on SQLSTATE': 'Look the SQLSTATE[] code up in the table of your database.',
  'a forum on PostgreSQL': 'I get an ERROR: please help, the relation between the tables is odd',
  'a code like those of Oracle': 'Order ORA-12 was sent',
  'a build log': 'ERROR: column headers are missing from the CSV file',
  'a single frame in an article': 'The line at com.example.Cart.total(Cart.java:42) is the culprit.',
  'two sentences with at': 'Meet us at the station (platform 3) or at the gate (12:30:15).',
  'a help text on tracebacks': 'Python prints “Traceback (most recent call last)” before the error.',
  'a warning in prose': 'Warning: the road in /north/ is closed, says the sign on line 7 of the metro',
  'an index of a book': '<title>Index of names</title><h1>Index of names</h1><p>Adams, Baker</p>',
  'a shop page about folders': '<a href="/up">To parent category</a>',
  'source maps and scripts': 'import{a}from"./b.js";function c(){throw new Error("at d")}',
  'settings shown in docs': '<pre>DB_HOST=localhost\nDB_PASSWORD=secret-here</pre>',
};

describe('response inspection', () => {
  it.each(Object.entries(leaks))('%s finds its leak', (id, text) => {
    const leak = inspectResponse(text, all);
    expect(leak?.ruleId).toBe(id);
    const [start, end] = leak?.span ?? [0, 0];
    expect(end).toBeGreaterThan(start);
    expect(end).toBeLessThanOrEqual(leak?.value.length ?? 0);
  });

  it('has a sample for every rule', () => {
    expect(leakRules.map((rule) => rule.id).filter((id) => leaks[id] === undefined)).toEqual([]);
    expect(Object.keys(leaks)).toHaveLength(leakRules.length);
  });

  it.each(Object.entries(nearMisses))('lets %s pass', (_, text) => {
    expect(inspectResponse(text, all)).toBeUndefined();
  });

  it('looks for the kinds that it was given alone', () => {
    const text = leaks['leak-sql-oracle'] ?? '';
    expect(inspectResponse(text, new Set(['stack_trace', 'private_key']))).toBeUndefined();
    expect(inspectResponse(text, new Set(['sql_error']))).toMatchObject({ kind: 'sql_error' });
  });

  it('shows where a find stands, but never a secret', () => {
    const shown = inspectResponse(`${'x'.repeat(900)} ${leaks['leak-sql-oracle']}`, all);
    expect(shown?.value.slice(...(shown?.span ?? []))).toBe('ORA-01756: q');
    const hidden = inspectResponse(leaks['leak-key-pem'] ?? '', all);
    expect(hidden).toMatchObject({ severity: 'critical', value: 'PRIVATE KEY-----' });
    expect(inspectResponse(leaks['leak-source-environment'] ?? '', all)?.value).not.toContain('hunter');
  });

  it('takes time in proportion to the text, whatever stands in it', () => {
    const seeds = [...Object.values(leaks), ...Object.values(nearMisses)].flatMap((text) => [
      text.slice(0, Math.ceil(text.length * 0.8)),
      text.slice(0, 12),
      'at a.b(',
      'Warning: a in /',
      '<title>Index of a</title>',
      ' ',
      '<br>',
    ]);
    for (const seed of new Set(seeds)) {
      expectLinear(
        (size) => {
          const text = seed.repeat(Math.ceil(size / seed.length));
          for (const rule of leakRules) rule.pattern.exec(text);
        },
        [4096, 65_536],
        seed,
      );
    }
  });
});
