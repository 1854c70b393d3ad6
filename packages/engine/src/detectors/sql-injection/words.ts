import { verbose } from '../../verbose.ts';

/**
 * One letter for each role a word plays in SQL, so that structure can be read off a string of letters.
 * Words that are none of these are names (`w`).
 */
const roles: Readonly<Record<string, readonly string[]>> = {
  E: ['select'],
  U: ['union', 'intersect', 'except', 'minus'],
  q: ['all', 'distinct', 'distinctrow', 'top'],
  F: ['from'],
  W: ['where'],
  l: ['and', 'or', 'xor', 'div', 'mod'],
  t: ['not'],
  o: [
    'like',
    'rlike',
    'regexp',
    'ilike',
    'glob',
    'between',
    'in',
    'is',
    'similar',
    'soundex',
    'match',
    'overlaps',
  ],
  N: [
    'null',
    'true',
    'false',
    'current_user',
    'session_user',
    'current_date',
    'current_timestamp',
    'sysdate',
    'rownum',
  ],
  B: ['order', 'group', 'partition'],
  Y: ['by'],
  H: ['having', 'limit', 'offset', 'procedure', 'fetch'],
  I: ['into'],
  O: ['outfile', 'dumpfile'],
  D: ['drop', 'truncate', 'alter', 'create', 'grant', 'revoke', 'rename'],
  T: [
    'table',
    'database',
    'schema',
    'function',
    'trigger',
    'view',
    'login',
    'role',
    'extension',
    'index',
    'user',
  ],
  R: ['insert', 'replace', 'merge'],
  V: ['values'],
  P: ['update'],
  S: ['set'],
  X: ['delete'],
  G: [
    'exec',
    'execute',
    'declare',
    'shutdown',
    'waitfor',
    'call',
    'copy',
    'begin',
    'prepare',
    'attach',
    'handler',
    'bulk',
    'reconfigure',
    'pragma',
  ],
  C: ['case'],
  h: ['when'],
  j: ['then', 'else'],
  e: ['end'],
};

/**
 * Functions that hardly occur but in an injection: they wait, read files, reach the network or make errors
 * speak. Followed by `(` they count as `d`.
 */
export const dangerousFunctions: ReadonlySet<string> = new Set([
  'sleep',
  'analyse',
  'benchmark',
  'pg_sleep',
  'pg_sleep_for',
  'pg_sleep_until',
  'extractvalue',
  'updatexml',
  'load_file',
  'xmltype',
  'pg_read_file',
  'pg_ls_dir',
  'lo_import',
  'lo_export',
  'xp_cmdshell',
  'xp_dirtree',
  'xp_fileexist',
  'xp_regread',
  'sp_executesql',
  'sp_oacreate',
  'openrowset',
  'opendatasource',
  'openquery',
  'utl_inaddr',
  'utl_http',
  'utl_file',
  'utl_smtp',
  'dbms_pipe',
  'dbms_lock',
  'dbms_ldap',
  'dbms_xmlgen',
  'dbms_session',
  'dbms_java',
  'ctxsys',
  'httpuritype',
  'randomblob',
  'load_extension',
  'query_to_xml',
  'database_to_xml',
  'dblink',
  'dblink_connect',
  'geometrycollection',
  'multipoint',
  'polygon',
  'multipolygon',
  'linestring',
  'multilinestring',
  'name_const',
  'group_concat',
  'string_agg',
  'wm_concat',
  'listagg',
  'gtid_subset',
  'sys_eval',
  'sys_exec',
  'fn_listextendedproperty',
  'ordsys',
  'row_count',
  'schema_name',
  'db_name',
  'make_set',
  'elt',
  'json_keys',
  'get_lock',
  'release_lock',
  'st_latfromgeohash',
  'st_longfromgeohash',
  'st_pointfromgeohash',
  'gtid_subtract',
]);

/** Functions at home in SQL, seldom elsewhere; `f` before `(`. */
export const commonFunctions: ReadonlySet<string> = new Set([
  'version',
  'user',
  'database',
  'schema',
  'current_user',
  'session_user',
  'system_user',
  'concat',
  'concat_ws',
  'substring',
  'substr',
  'mid',
  'ascii',
  'ord',
  'char',
  'chr',
  'nchar',
  'hex',
  'unhex',
  'length',
  'len',
  'char_length',
  'datalength',
  'if',
  'iif',
  'ifnull',
  'nullif',
  'isnull',
  'nvl',
  'coalesce',
  'decode',
  'convert',
  'cast',
  'count',
  'min',
  'max',
  'sum',
  'avg',
  'floor',
  'rand',
  'exp',
  'pow',
  'md5',
  'sha1',
  'lower',
  'upper',
  'lcase',
  'ucase',
  'left',
  'right',
  'instr',
  'locate',
  'position',
  'reverse',
  'to_char',
  'to_number',
  'rawtohex',
  'quote_literal',
  'connection_id',
  'last_insert_id',
  'found_rows',
  'bin',
  'find_in_set',
  'strcmp',
  'greatest',
  'least',
  'exists',
  'any',
  'some',
  'sqlite_version',
  'typeof',
  'current_database',
  'current_schema',
  'object_id',
  'host_name',
  'app_name',
  'is_srvrolemember',
  'sys_context',
  'getdate',
  'now',
  'curdate',
  'regexp_like',
  'json_extract',
  'xmlelement',
  'bit_and',
  'soundex',
  'json_value',
  'json_length',
  'json_depth',
  'json_valid',
  'json_array',
  'jsonb_typeof',
  'json_typeof',
  'to_jsonb',
]);

/** Names of catalogues and settings: `y`. */
const catalogues = verbose()`
  ^(?:
    information_schema
    |sys(?:objects|columns|databases|users|logins)
    |sqlite_(?:master|schema|temp_master)
    |pg_(?:catalog|shadow|user|database|tables|stat_activity|authid)
    |all_(?:tables|tab_columns|users|objects)
    |user_(?:tables|tab_columns|objects)
    |dba_(?:tables|users|tab_columns)
    |v\$\w{2,20}
    |msysaccessobjects
    |innodb_table_stats
    |innodb_index_stats
    |performance_schema
    |sysmaster
    |syscat
    |sysibm
    |rdb\$\w{2,20}
    |domain\.tables
    |xp_[a-z]\w{2,20}
    |sp_(?:oa|execute|configure|addextended)\w{0,20}
  )$
`;

/** word → its role, and its role where `(` follows */
const known = new Map<string, readonly [plain: string, called: string]>();
for (const word of dangerousFunctions) known.set(word, ['w', 'd']);
for (const word of commonFunctions) if (!known.has(word)) known.set(word, ['w', 'f']);
for (const [role, words] of Object.entries(roles)) {
  for (const word of words) {
    const asCall = known.get(word)?.[1];
    // These keywords are called as functions too, and that is the likelier reading.
    known.set(word, [
      role,
      asCall !== undefined && /^(?:replace|user|database|schema|soundex)$/.test(word) ? asCall : role,
    ]);
  }
}

/** first two letters, five bits of each → a bit for each length that a word of note with them has */
const lengths = new Uint32Array(1024);
for (const word of known.keys()) {
  const place = beginningOf(word, 0, word.length);
  lengths[place] = (lengths[place] ?? 0) | (1 << Math.min(word.length, 31));
}

/** Alike in both cases. */
function beginningOf(text: string, start: number, length: number): number {
  const second = length > 1 ? text.charCodeAt(start + 1) & 31 : 0;
  return ((text.charCodeAt(start) & 31) << 5) | second;
}

/** Whether a word without `_` or `$`, between two places of a text, can be anything but a name. */
export function mayHaveRole(text: string, start: number, end: number): boolean {
  const length = end - start;
  const initial = text.charCodeAt(start) | 32;
  // Catalogues without a mark start with `sys` or `msys`.
  if ((initial === 115 || initial === 109) && length > 5) return true;
  return ((lengths[beginningOf(text, start, length)] as number) & (1 << Math.min(length, 31))) !== 0;
}

/**
 * The role of a word.
 * @param word lower case
 * @param called whether `(` follows
 */
export function sqlRole(word: string, called: boolean): string {
  const roles = known.get(word);
  if (roles) return called ? roles[1] : roles[0] === 'w' && isCatalogue(word) ? 'y' : roles[0];
  return isCatalogue(word) ? 'y' : 'w';
}

function isCatalogue(word: string): boolean {
  // Every such name is long, and holds `_` or `$` or starts with `sys` or `msys`.
  return (
    word.length > 5 &&
    (word.includes('_') || word.includes('$') || /^m?sys/.test(word)) &&
    catalogues.test(word)
  );
}

/** Whether a dotted name starts with a package that is dangerous whatever is called in it. */
export function isDangerousPackage(word: string): boolean {
  return (
    word.length > 2 &&
    /^(?:utl_(?:http|inaddr|file|smtp|tcp)|dbms_\w{2,20}|ctxsys|ordsys|sys|master|msdb)$/.test(word)
  );
}
