-- What was reported, decided and objected to, as the public numbers count it. A row says nothing of whose it was, and
-- outlives the report, the statement or the complaint.
create table moderation_facts (
  kind text not null,
  -- The report, case, statement or complaint. It may be deleted since, so there is no foreign key.
  source_id uuid not null,
  -- In Paris.
  year smallint not null,
  -- Of the publication or acteur; null: it has none.
  commune_id uuid constraint moderation_facts_commune references communes,
  -- Of a report its category, of a case its outcome, of a statement the restriction, of a complaint the decision.
  detail text not null,
  -- The ground of a statement, as it was when it was given.
  ground text, ground_label text,
  by_report boolean, by_machine boolean,
  -- From the first report of a case until a person of the team decided; null: nobody did.
  hours numeric(8, 1),
  -- Each is counted once.
  constraint moderation_facts_once primary key (kind, source_id),
  constraint moderation_facts_kind check (kind in ('report', 'case', 'statement', 'complaint')),
  constraint moderation_facts_statement check (
    num_nonnulls(ground, ground_label, by_report, by_machine) = case kind when 'statement' then 4 else 0 end),
  constraint moderation_facts_hours check (hours is null or (kind = 'case' and hours >= 0))
);
-- The numbers of a year, and those of a commune; the foreign key.
create index moderation_facts_by_year on moderation_facts (year, commune_id);
create index moderation_facts_by_commune on moderation_facts (commune_id, year) where commune_id is not null;
create trigger moderation_facts_notify after insert or update or delete or truncate on moderation_facts
  for each statement execute function notify_change();
