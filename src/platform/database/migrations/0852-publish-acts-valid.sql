-- outside a transaction
-- Reads the tables without a lock that others wait for.
alter table actor_users validate constraint actor_users_permissions;

alter table team_invitations validate constraint team_invitations_permissions;
