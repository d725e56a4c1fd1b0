-- Gathers the statistics of these tables, and sorts what their search indexes have not sorted in yet, as autovacuum does some
-- time later if it is on. Security definer, since only their owner may.
create function analyze_tables(tables text[]) returns void language plpgsql security definer
  set search_path = pg_catalog, pg_temp as $$ declare loaded regclass; begin
  foreach loaded in array array(
    select oid::regclass from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname = any(tables)) loop
    execute format('analyze %s', loaded);
    perform gin_clean_pending_list(indexrelid) from pg_index
    join pg_class c on c.oid = indexrelid join pg_am am on am.oid = c.relam
    where indrelid = loaded and am.amname = 'gin';
  end loop;
end $$;
