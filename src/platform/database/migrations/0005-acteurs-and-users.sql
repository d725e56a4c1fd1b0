-- The back-office finds acteurs by the beginning of a word of their name, users by that of their name or e-mail address,
-- whatever accents and case: the same text and index as for communes. The triggers leave the new columns out.
alter table acteurs add column search_text text collate "C" generated always as (' ' || search_key(nom)) stored;
create index acteurs_search on acteurs using gin (search_text gin_trgm_ops);
drop trigger acteurs_touch on acteurs;
create trigger acteurs_touch before update on acteurs for each row execute function touch_row('search_text');

alter table users add column search_text text collate "C"
  generated always as (' ' || search_key(coalesce(nom, '') || ' ' || coalesce(email, ''))) stored;
create index users_search on users using gin (search_text gin_trgm_ops);
drop trigger users_touch on users;
create trigger users_touch before update on users for each row execute function touch_row('last_seen_at', 'search_text');

-- Lists are newest first, and ids sort by time. The filters that pick few of many have an index in that order.
drop index acteurs_by_commune;
create index acteurs_by_commune on acteurs (commune_id, id);
create index acteurs_by_type on acteurs (type, id);
create index acteurs_not_valid on acteurs (id) where not valide;
create index acteurs_inactive on acteurs (id) where not active;
create index acteurs_deleted on acteurs (id) where deleted_at is not null;
create index users_disabled on users (id) where not actif;

-- Who was no enabled admin before can be disabled, or lose the role, even where nobody is one (a platform_admin alone,
-- say). The lock comes before the look all the same: a role given meanwhile waits with its removal elsewhere.
create or replace function keep_last_admin() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('parvis last admin'));
  if tg_table_name = 'users' then
    if not exists (select from user_roles where user_id = new.id and role = 'admin') then return null; end if;
  elsif not exists (select from users where id = old.user_id and actif) then
    return null;
  end if;
  if not exists (select from user_roles r join users u on u.id = r.user_id where r.role = 'admin' and u.actif) then
    raise exception 'the last admin stays' using errcode = 'check_violation', constraint = 'last_admin';
  end if;
  return null;
end
$$;
