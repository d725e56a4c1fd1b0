-- Invitations to the team of an acteur: of an address, whoever it belongs to. Its reader becomes a member by accepting.
create table team_invitations (
  id uuid primary key,
  acteur_id uuid not null constraint team_invitations_acteur references acteurs,
  -- Folded, as it was typed: what an account has else is not for the acteur to know.
  email text collate "C" not null,
  role text not null, permissions text[] not null default '{}',
  invited_until timestamptz(3) not null,
  -- When it was accepted, declined or withdrawn. The row stays for a day, because mails are counted by it.
  ended_at timestamptz(3),
  -- When the address last got a mail about this acteur.
  mailed_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  version integer not null default 1,
  updated_at timestamptz(3) not null default now(),
  -- One for an address and an acteur; finds those of an address.
  constraint team_invitations_address unique (email, acteur_id),
  constraint team_invitations_email check (email = lower(email) and length(email) <= 254),
  constraint team_invitations_role check (role in ('owner', 'editor')),
  -- The permissions that an editor can have.
  constraint team_invitations_permissions check (permissions <@ array[
    'manage_commune', 'manage_page', 'manage_publications', 'publish_publications'])
);
-- The team of an acteur.
create index team_invitations_by_acteur on team_invitations (acteur_id);
create trigger team_invitations_touch before update on team_invitations
  for each row execute function touch_row('created_at', 'mailed_at');
create trigger team_invitations_follow_merge before insert or update of acteur_id on team_invitations
  for each row execute function follow_merge();

-- Until now a membership with an end was an invitation. The column is not read any more.
with invited as (
  delete from actor_users where invited_until is not null returning *
)
insert into team_invitations (id, acteur_id, email, role, permissions, invited_until, mailed_at, created_at)
select gen_random_uuid(), m.acteur_id, lower(u.email collate "C"), m.role, m.permissions, m.invited_until, m.created_at, m.created_at
from invited m join users u on u.id = m.user_id
where u.email is not null and m.invited_until > now();
