-- The acteur that publishes for a group of communes, as a mairie does for its commune.
alter table acteurs drop constraint acteurs_type;
alter table acteurs add constraint acteurs_type
  check (type in ('association', 'commerce', 'mairie', 'intercommunalite', 'ecole', 'service', 'autre')) not valid;

alter table groups add column acteur_id uuid;
-- For the foreign key groups_acteur.
alter table groups add column acteur_type text not null default 'intercommunalite';
alter table groups add constraint groups_acteur_type check (acteur_type = 'intercommunalite') not valid;
-- Only an acteur of type intercommunalite can be named, and while it is named its type stays.
alter table groups add constraint groups_acteur
  foreign key (acteur_id, acteur_type) references acteurs (id, type) not valid;
create trigger groups_follow_merge before insert or update of acteur_id on groups
  for each row when (new.acteur_id is not null) execute function follow_merge();
