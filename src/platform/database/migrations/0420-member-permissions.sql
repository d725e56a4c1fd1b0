-- Permissions over the page of an acteur and, for mairies, over the commune. The version before writes neither, and works
-- with the wider constraint.
alter table actor_users drop constraint actor_users_permissions;

-- The permissions that an editor can have.
alter table actor_users add constraint actor_users_permissions check (permissions <@ array[
  'manage_commune', 'manage_page', 'manage_publications', 'publish_publications']);

-- Until now every member of a mairie wrote its alerts: editors keep that. Permissions are stored in order.
update actor_users m
set permissions = array(select distinct unnest(m.permissions || array['manage_commune']) order by 1)
from acteurs a
where a.id = m.acteur_id and a.type = 'mairie' and m.role = 'editor';
