import { verbose } from '../verbose.ts';
import type { LeakRule } from './rule.ts';

const error = { kind: 'sql_error', severity: 'high' } as const;

/** Sentences that databases and their drivers write, which show an attacker that an injection works and how. */
export const sqlErrors: readonly LeakRule[] = [
  {
    ...error,
    id: 'leak-sql-mysql-syntax',
    message: 'MySQL syntax error',
    literal: 'You have an error in your SQL syntax',
    pattern:
      /You have an error in your SQL syntax; check the manual that corresponds to your (?:MySQL|MariaDB)/,
  },
  {
    ...error,
    id: 'leak-sql-mysql-call',
    message: 'MySQL error of PHP',
    literal: 'mysql',
    pattern: /\bmysqli?_[a-z_]{3,40}\(\)(?:: | expects parameter \d|\]: )/,
  },
  {
    ...error,
    id: 'leak-sql-state',
    message: 'SQL error with its SQLSTATE',
    literal: 'SQLSTATE[',
    pattern: /SQLSTATE\[[0-9A-Z]{5}\](?: \[\d{1,6}\])?:? \w/,
  },
  {
    ...error,
    id: 'leak-sql-postgres',
    message: 'PostgreSQL error',
    literal: 'ERROR: ',
    pattern: verbose()`
      \bERROR: {1,4}(?:
        syntax error at (?:or near|end of input)
        |unterminated quoted string at
        |(?:relation|column|operator|function) [^\n]{1,200}does not exist
        |invalid input syntax for (?:type )?\w
      )
    `,
  },
  {
    ...error,
    id: 'leak-sql-postgres-driver',
    message: 'PostgreSQL error of a driver',
    literal: 'P',
    pattern:
      /\b(?:PG::[A-Z]\w{3,40}: ERROR|org\.postgresql\.util\.PSQLException: |psycopg2?\.errors\.\w{3,60}: )/,
  },
  {
    ...error,
    id: 'leak-sql-oracle',
    message: 'Oracle error',
    literal: 'ORA-',
    pattern: /\bORA-\d{5}: [a-z"]/i,
  },
  {
    ...error,
    id: 'leak-sql-server-quote',
    message: 'SQL Server syntax error',
    literal: 'quotation mark',
    pattern: /Unclosed quotation mark (?:after|before) the character string/,
  },
  {
    ...error,
    id: 'leak-sql-server-driver',
    message: 'SQL Server error of a driver',
    literal: 'Microsoft',
    pattern: verbose()`
      \[Microsoft\]\[(?:ODBC |SQL )[^\]\n]{1,60}\](?:\[SQL Server\])?[^\s[]
      |Microsoft OLE DB Provider for (?:ODBC Drivers|SQL Server)(?:<\/font>)? (?:<font [^>]{1,60}>)?error
      |\bMicrosoft\.Data\.SqlClient\.SqlException \(
    `,
  },
  {
    ...error,
    id: 'leak-sql-server-client',
    message: 'SQL Server error of .NET',
    literal: 'SqlClient.SqlException',
    pattern: /\bSystem\.Data\.SqlClient\.SqlException(?: \(0x[0-9A-F]{8}\))?: \w/,
  },
  {
    ...error,
    id: 'leak-sql-sqlite',
    message: 'SQLite error',
    literal: 'SQL',
    pattern: /\bSQLITE_(?:ERROR|CONSTRAINT\w{0,30}|MISMATCH|RANGE): \w|\bSQLite3?::(?:SQL)?Exception: /,
  },
  {
    ...error,
    id: 'leak-sql-sqlite-python',
    message: 'SQLite error of Python',
    literal: 'sqlite3.',
    pattern: /\bsqlite3\.(?:OperationalError|ProgrammingError|IntegrityError|Warning): \w/,
  },
  {
    ...error,
    id: 'leak-sql-jdbc',
    message: 'SQL error of JDBC',
    literal: 'java.sql.',
    pattern: /\bjava\.sql\.(?:Batch|SQL)\w{0,40}Exception: \w/,
  },
  {
    ...error,
    id: 'leak-sql-db2',
    message: 'DB2 error',
    literal: 'DB2 SQL error',
    pattern: /\bDB2 SQL error: SQLCODE[=:] ?-?\d/i,
  },
];
