-- outside a transaction

-- The address of several publications showed the newest visible one, which keeps it. The others get slugs of their own,
-- a thousand per transaction: each row waits for nobody long, and its cached responses are invalidated as usual.
do $$ declare
  namesakes uuid[] := array(
    select id from (
      select id, row_number() over (partition by slug
        order by (valide and deleted_at is null) desc, publie_le desc nulls last, id desc) as place from publications) placed
    where place > 1 order by id);
begin
  for start in 1 .. coalesce(array_length(namesakes, 1), 0) by 1000 loop
    update publications set slug = slug where id = any(namesakes[start:start + 999]);
    commit;
  end loop;
end $$;

drop index concurrently if exists publications_slug_key;

-- Pages of the public site: a slug belongs to one publication.
create unique index concurrently publications_slug_key on publications (slug);

drop index concurrently if exists publications_slug;
