-- Who says a fact of a commune that public sources fill, field by field. A source writes a field only while the field has the
-- value that the source wrote last: `digest`. Any other value is the word of a person, for ever: then `source` is null.
create table sourced_facts (
  commune_id uuid not null constraint sourced_facts_commune references communes on delete cascade,
  field text not null,
  -- The acteur that shows the fact; null of what the commune shows itself. Of another acteur the row says nothing: without a
  -- foreign key, so that a merge of acteurs does not give the values of one to the source of the other.
  acteur_id uuid,
  -- The name of its declaration in src/loaders/.
  source text,
  -- The day of the file that said it last.
  as_of date,
  -- SHA-256, and not the value: the row of a deleted contact tells nothing of it.
  digest text collate "C",
  -- One word for each fact.
  constraint sourced_facts_pkey primary key (commune_id, field),
  -- A source with its day and value, or a person with neither.
  constraint sourced_facts_whole check (num_nulls(source, as_of, digest) in (0, 3)),
  constraint sourced_facts_source_form check (source ~ '^[a-z]{1,40}$'),
  constraint sourced_facts_field_form check (field ~ '^[a-z_]{1,40}$'),
  constraint sourced_facts_digest_form check (digest ~ '^[0-9a-f]{64}$')
);
-- How many communes a source fills: by how much a file may differ.
create index sourced_facts_by_source on sourced_facts (source, commune_id) where source is not null;

-- A person's word stays a person's: no writer, and no mistake of one, gives it back to a source.
create function refuse_taking_words() returns trigger language plpgsql as $$ begin
  if old.source is null and new.source is not null and new.acteur_id is not distinct from old.acteur_id then
    raise exception 'sourced_facts: % of a commune is the word of a person', old.field using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger sourced_facts_words before update on sourced_facts for each row execute function refuse_taking_words();
create trigger sourced_facts_notify after insert or update or delete or truncate on sourced_facts
  for each statement execute function notify_change();
