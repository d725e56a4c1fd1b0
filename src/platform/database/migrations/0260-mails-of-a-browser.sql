-- outside a transaction
-- A browser that requests a second mail keeps its cookie, so that the code of the first one still works there.
create index concurrently if not exists email_challenges_by_browser
  on email_challenges (browser_hash) where browser_hash is not null;

alter table email_challenges drop constraint if exists email_challenges_browser_key;
