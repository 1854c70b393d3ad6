/**
 * What a word does in a statement, as one letter. Words that are in no list are names (`n`).
 * `E` begins a query or a change, `U` joins queries, `B` orders or limits, `T` begins any other statement,
 * `k` is any other keyword, `&` joins conditions, `o` compares, `f` is called with arguments, `v` is a value
 * with a name of its own, `t` names a type.
 */
const wordsOf: Readonly<Record<string, string>> = {
  E: 'select insert update delete replace merge',
  U: 'union intersect except minus',
  B: 'having limit offset procedure',
  T: `drop truncate alter create grant revoke exec execute declare waitfor shutdown call begin prepare
    deallocate handler attach reconfigure kill backup restore dbcc openrowset`,
  k: `from where into set values table database as case when then else end by all distinct top using join
    inner outer left_join on exists any some outfile dumpfile order group asc desc for delay returning with
    escape collate column schema view index trigger procedure_call natural cross partition`,
  '&': 'and or xor',
  o: 'like rlike regexp ilike similar between in is not div mod sounds glob contains',
  v: `null true false current_user current_date current_time current_timestamp localtime localtimestamp
    session_user system_user sysdate rownum rowid`,
  t: `int integer bigint smallint tinyint varchar nvarchar char_type text_type binary_type signed unsigned
    decimal numeric float double real date_type datetime timestamp_type`,
  f: `abs ascii avg benchmark bin bit_length cast ceil ceiling char char_length chr coalesce col_length
    concat concat_ws connection_id convert count curdate current_setting currval database date_add
    date_format date_sub datalength db_id db_name decode elt encode exp extractvalue field find_in_set floor
    format from_unixtime geometrycollection get_lock greatest group_concat has_dbaccess hex if ifnull iif
    instr isnull json_extract json_keys last_insert_id lcase least left length len linestring listagg
    load_extension load_file locate log lower lpad ltrim make_set max md5 mid min month multilinestring
    multipoint multipolygon name_const nchar newid now nullif nvl object_id object_name oct opendatasource
    openquery ord password pg_ls_dir pg_read_file pg_sleep pg_sleep_for pi polygon position pow power
    quote_ident quote_literal rand randomblob release_lock repeat reverse right round row_count rpad rtrim
    schema_name session_id sha sha1 sign sleep soundex space sqrt sqlite_version stddev str str_to_date
    strcmp string_agg substr substring substring_index suser_name suser_sname sys_context sys_eval sys_exec
    to_base64 to_char to_date to_number trim truncate_number ucase uid unhex unicode updatexml upper user
    user_id user_name utl_http.request utl_inaddr.get_host_address uuid variance version wait_for_executed
    wm_concat xmltype xp_cmdshell xp_dirtree xp_regread year zeroblob dbms_pipe.receive_message
    dbms_lock.sleep lo_import lo_export query_to_xml generate_series array_agg hex_encode`,
};

const letters = new Map<string, string>();
for (const [letter, words] of Object.entries(wordsOf)) {
  for (const word of words.split(/\s+/)) letters.set(word, letter);
}

/** The letter of a word, in any case. */
export function letterOf(word: string): string {
  return letters.get(word.toLowerCase()) ?? 'n';
}
