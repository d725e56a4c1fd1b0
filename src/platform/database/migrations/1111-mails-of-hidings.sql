-- The commune whose mairie hides what a group publishes.
alter table publication_mails add column commune_id uuid;
alter table publication_mails add constraint publication_mails_commune
  foreign key (commune_id) references communes on delete cascade not valid;
alter table publication_mails drop constraint publication_mails_kind;
alter table publication_mails add constraint publication_mails_kind
  check (kind in ('rejected', 'corrected', 'hidden', 'deleted', 'unfeatured', 'hidden_in_commune')) not valid;
