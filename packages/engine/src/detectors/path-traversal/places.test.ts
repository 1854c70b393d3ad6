import { describe } from 'vitest';
import { blocks, passes } from '../../testing/payloads.ts';

describe('path_traversal, places and spellings', () => {
  // files of systems and applications
  blocks('path_traversal', [
    '%uff0e%uff0e%u2215%uff0e%uff0e%u2215etc%u2215passwd',
    '..%u2215..%u2215etc/passwd',
    '/etc/kubernetes/admin.conf',
    '/sys/class/net/eth0/address',
    '/run/secrets/db',
    '/var/lib/mlocate/mlocate.db',
    '~root/.bashrc',
    '/opt/tomcat/conf/server.xml',
    '/dev/random',
    '/dev/stdin',
    'C:\\Users\\Administrator\\NTUser.dat',
    '//192.0.2.9/c$/x',
    '/tmp/sess_4f8a',
    '../../app/config/parameters.yml',
    '..%e2%88%95..%e2%88%95etc/passwd',
    'C:\\Windows\\System32\\drivers\\etc\\hosts',
    '/var/log/nginx/access.log',
  ]);

  passes([
    '/etc/profile is automatically read; copy the default /etc/passwd first',
    'how to edit /etc/hosts on a Mac',
    'What does etc/passwd contain? asked the student',
    'etc/passwd.txt',
    'http://example.com/readme.txt?v=1',
    'file:///C:/Users/john/Desktop/index.html',
    'C:\\Windows\\System32\\svchost.exe',
    '/opt/app/lib.so',
    '10⁄2 and 1∕2',
    'settings.json',
    'Cron: 0 3 * * * /usr/local/bin/backup >> /var/log/backup.log 2>&1',
    'the file C:\\Windows\\System32\\drivers\\etc\\hosts is read-only unless Notepad runs as admin',
  ]);
});
