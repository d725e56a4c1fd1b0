-- What is kept in memory of public reads goes when a table that it was made from changes: every instance hears of it
-- with the commit, whoever changed it. Once for each statement, not for each row; of equal ones in a transaction one is
-- sent.
create function tell_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('parvis_changes', tg_table_name);
  return null;
end
$$;

create trigger communes_told after insert or update or delete or truncate on communes
  for each statement execute function tell_change();
create trigger commune_aliases_told after insert or update or delete or truncate on commune_aliases
  for each statement execute function tell_change();
create trigger commune_infos_told after insert or update or delete or truncate on commune_infos
  for each statement execute function tell_change();
create trigger elus_told after insert or update or delete or truncate on elus
  for each statement execute function tell_change();
create trigger acteurs_told after insert or update or delete or truncate on acteurs
  for each statement execute function tell_change();
create trigger publication_types_told after insert or update or delete or truncate on publication_types
  for each statement execute function tell_change();
create trigger publications_told after insert or update or delete or truncate on publications
  for each statement execute function tell_change();
create trigger publication_communes_told after insert or update or delete or truncate on publication_communes
  for each statement execute function tell_change();
create trigger app_sources_told after insert or update or delete or truncate on app_sources
  for each statement execute function tell_change();

-- The next time at which a publication is no longer featured, by itself.
create index publications_featured_until on publications (featured_until) where en_avant and featured_until is not null;
