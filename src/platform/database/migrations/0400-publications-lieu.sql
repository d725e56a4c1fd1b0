-- Where an event takes place: its name, its address, its coordinates, each null where unknown. One value, because it is
-- written, compared and returned whole; null where nothing is known.
alter table publications add column lieu jsonb;
-- Versions show the place of the time.
alter table publication_versions add column lieu jsonb;

alter table publications
  -- Exactly these fields, of these types: responses show the value as it is.
  add constraint publications_lieu_form check (
    lieu = jsonb_build_object('nom', lieu -> 'nom', 'adresse', lieu -> 'adresse', 'latitude', lieu -> 'latitude',
      'longitude', lieu -> 'longitude')
    and jsonb_typeof(lieu -> 'nom') in ('string', 'null') and jsonb_typeof(lieu -> 'adresse') in ('string', 'null')
    and jsonb_typeof(lieu -> 'latitude') in ('number', 'null')
    and jsonb_typeof(lieu -> 'longitude') in ('number', 'null')) not valid,
  -- A place of which nothing is known is null.
  add constraint publications_lieu_known check (
    lieu <> '{"nom": null, "adresse": null, "latitude": null, "longitude": null}') not valid,
  add constraint publications_lieu_lengths check (
    char_length(lieu ->> 'nom') between 1 and 200 and char_length(lieu ->> 'adresse') between 1 and 300) not valid,
  -- One coordinate alone is no point.
  add constraint publications_lieu_coordinates check (
    ((lieu ->> 'latitude') is null) = ((lieu ->> 'longitude') is null)) not valid,
  add constraint publications_lieu_ranges check (
    (lieu ->> 'latitude')::numeric between -90 and 90 and (lieu ->> 'longitude')::numeric between -180 and 180) not valid;

-- The words of a publication with those of its place.
create function publication_search(title text, body text, lieu jsonb) returns tsvector
  language sql immutable parallel safe begin atomic
  select case when lieu is null then publication_search(title, body)
    else publication_search(concat_ws(' ', title, lieu ->> 'nom', lieu ->> 'adresse'), body) end;
end;

-- Maintains the search vector and the sort key when title, body or place changed.
create or replace function maintain_publication_words() returns trigger language plpgsql as $$ begin
  if tg_op = 'INSERT' or new.title <> old.title or new.body <> old.body or new.lieu is distinct from old.lieu then
    new.search := publication_search(new.title, new.body, new.lieu);
    new.sort_title := search_key(left(new.title, 100));
  end if;
  return new;
end $$;
