-- outside a transaction
-- The lists of acteurs that publish without moderation, which are few, newest first.
create index concurrently if not exists acteurs_publishing on acteurs (id) where can_publish;

-- The lists of acteurs with a badge.
create index concurrently if not exists acteurs_by_badge on acteurs (badge, id) where badge is not null;
