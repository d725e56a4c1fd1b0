-- An application may show a group: the communes that are its members at the time. Null: as `commune_ids` says.
alter table app_sources add column group_id uuid;
-- One of both. A group that an application shows is not deleted: without it, the application would show everything.
alter table app_sources
  add constraint app_sources_group foreign key (group_id) references groups not valid,
  add constraint app_sources_one_place check (group_id is null or commune_ids is null) not valid;
