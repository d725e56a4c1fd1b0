-- Slugs of publications are unique. The database chooses a free one, because instances of the previous version insert
-- titles that others have too. Of two concurrent inserts the second violates publications_slug_key and is repeated.
create function free_publication_slug() returns trigger language plpgsql as $$ begin
  if exists (select from publications where slug = new.slug and id <> new.id) then
    -- The end of an id is random, so that the hundred-thousandth namesake needs no more reads than the second.
    new.slug := new.slug || '-' || right(new.id::text, 12);
  end if;
  return new;
end $$;
create trigger publications_free_slug before insert or update of slug on publications
  for each row execute function free_publication_slug();
