-- A scan has no text of its own: its mairie may type it, for the search and for who does not see pictures.
alter table acts add column typed_text boolean not null default false;
