-- Views that a second click saved again.
delete from saved_views later using saved_views earlier
where later.user_id = earlier.user_id and later.list = earlier.list and later.name = earlier.name
  and later.query = earlier.query and later.role is not distinct from earlier.role and later.id > earlier.id;

-- Different filters under one name: the later ones get the end of their id.
update saved_views set name = left(name, 88) || ' (' || right(id::text, 8) || ')'
where exists (
  select from saved_views earlier
  where earlier.user_id = saved_views.user_id and earlier.list = saved_views.list
    and earlier.name = saved_views.name and earlier.id < saved_views.id
);

-- A person recognises a view of a list by its name; also refuses the second of two requests sent at once.
create unique index saved_views_named on saved_views (user_id, list, name);
