-- Former slugs, so that an address that somebody has kept leads to the present one. A slug that another record has now
-- belongs to that record. A former slug goes with its record.
create table publication_former_slugs (
  slug text constraint publication_former_slugs_pkey primary key,
  id uuid not null constraint publication_former_slugs_publication references publications on delete cascade
);
create table acteur_former_slugs (
  slug text constraint acteur_former_slugs_pkey primary key,
  id uuid not null constraint acteur_former_slugs_acteur references acteurs on delete cascade
);
create table commune_former_slugs (
  slug text constraint commune_former_slugs_pkey primary key,
  id uuid not null constraint commune_former_slugs_commune references communes on delete cascade
);
-- The foreign keys.
create index publication_former_slugs_by_publication on publication_former_slugs (id);
create index acteur_former_slugs_by_acteur on acteur_former_slugs (id);
create index commune_former_slugs_by_commune on commune_former_slugs (id);

-- Its argument names the table. Of several records that had the slug, it leads to the last.
create function remember_former_slug() returns trigger language plpgsql as $$ begin
  execute format('insert into %I (slug, id) values ($1, $2) on conflict (slug) do update set id = excluded.id', tg_argv[0])
    using old.slug, old.id;
  return null;
end $$;
create trigger publications_former_slug after update of slug on publications
  for each row when (old.slug <> new.slug) execute function remember_former_slug('publication_former_slugs');
create trigger acteurs_former_slug after update of slug on acteurs
  for each row when (old.slug <> new.slug) execute function remember_former_slug('acteur_former_slugs');
create trigger communes_former_slug after update of slug on communes
  for each row when (old.slug <> new.slug) execute function remember_former_slug('commune_former_slugs');
