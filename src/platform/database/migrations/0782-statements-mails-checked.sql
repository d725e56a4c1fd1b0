-- outside a transaction

alter table publication_mails validate constraint publication_mails_kind;

alter table publication_mails validate constraint publication_mails_user;

-- The foreign key.
create index concurrently if not exists publication_mails_by_user on publication_mails (user_id) where user_id is not null;
