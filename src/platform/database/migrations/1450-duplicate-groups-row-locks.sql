-- Waits for the transactions that count with advisory locks.
select pg_advisory_xact_lock(20260230);

-- Counts the groups of these keys again. Each key is locked by its row until the transaction ends: of two concurrent changes of a
-- group, neither would see the other. Locks of rows take no memory, unlike advisory locks, of which one for the whole country stood
-- for more than a thousand keys: a statement with any number of keys makes those wait that change the same groups, and nobody else.
create or replace function count_duplicate_groups(keys text[]) returns void language plpgsql
  set plan_cache_mode = force_generic_plan as $$ begin
  if keys = '{}' then return; end if;
  -- A key without a group gets a row for the time being: only one transaction can insert it. In their order: no deadlock.
  insert into duplicate_groups as g (duplicate_key, members)
    select distinct key, 0 from unnest(keys) key order by key
    on conflict (duplicate_key) do update set members = g.members where false;
  with counted as materialized (
    select duplicate_key, count(*)::integer as members from publications
    where duplicate_key = any(keys) and deleted_at is null group by duplicate_key having count(*) > 1),
  written as (
    update duplicate_groups g set members = c.members from counted c
    where g.duplicate_key = c.duplicate_key and g.members <> c.members)
  delete from duplicate_groups
  where duplicate_key = any(keys) and duplicate_key not in (select duplicate_key from counted);
end $$;
