-- The permission to publish acts, for editors of mairies.
alter table actor_users drop constraint actor_users_permissions;
-- The permissions that an editor can have.
alter table actor_users add constraint actor_users_permissions check (permissions <@ array[
  'manage_commune', 'manage_page', 'manage_publications', 'publish_acts', 'publish_publications']) not valid;
alter table team_invitations drop constraint team_invitations_permissions;
alter table team_invitations add constraint team_invitations_permissions check (permissions <@ array[
  'manage_commune', 'manage_page', 'manage_publications', 'publish_acts', 'publish_publications']) not valid;
