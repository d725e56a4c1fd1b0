-- outside a transaction
-- Invitations whose time is over, and those that begin to count when their account is opened.
create index concurrently if not exists actor_users_invited on actor_users (invited_until) where invited_until is not null;
