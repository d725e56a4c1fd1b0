-- Bytes of pictures and documents in an object store. Each object is written once under a name of its own and never again:
--   writing → stored, while a variant names it → released, to be deleted from the store, then from here
-- The row is there before the object, so that what a crash leaves in the store is found.
create table media_objects (
  -- Also its name in the store.
  id uuid primary key,
  state text not null default 'writing',
  bytes integer not null,
  -- Of each piece of 512 KiB, so that a part of a document can be checked.
  digests text[] not null,
  created_at timestamptz(3) not null default now(),
  constraint media_objects_state check (state in ('writing', 'stored', 'released')),
  constraint media_objects_bytes check (bytes > 0),
  constraint media_objects_digests check (cardinality(digests) = (bytes + 524287) / 524288)
);
-- What is to be deleted from the store.
create index media_objects_to_delete on media_objects (id) where state <> 'stored';

-- Null: its bytes are in `content`.
alter table media_variants add column object uuid;
alter table media_variants alter column content drop not null;
alter table media_variants
  add constraint media_variants_object foreign key (object) references media_objects not valid,
  add constraint media_variants_place check ((object is null) = (content is not null)) not valid;

create function release_media_object() returns trigger language plpgsql as $$ begin
  update public.media_objects set state = 'released' where id = old.object;
  return null;
end $$;
create trigger media_variants_release after delete or update of object on media_variants
  for each row when (old.object is not null) execute function release_media_object();
