-- Publications that a moderator found to be distinct from each other: those with the same decision. A group of suspected
-- duplicates is settled if all its members that are neither deleted nor rejected have the same one; a member that joins
-- has none, or another. The decision and the audit log say who decided.
create table distinct_publications (
  publication_id uuid constraint distinct_publications_pkey primary key,
  -- Decisions are deleted after some months; what they found stays.
  decision_id uuid not null,
  constraint distinct_publications_publication foreign key (publication_id) references publications (id) on delete cascade
);
