-- Further words by which residents find a page of their commune, beside those that the service knows.
create table search_terms (
  id uuid primary key, term text not null,
  -- The words of the term as a search compares them: folded, in the singular, in order.
  key text not null,
  topic text not null,
  deleted_at timestamptz(3), version integer not null default 1,
  created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now(),
  constraint search_terms_term_length check (char_length(term) between 1 and 60),
  -- A term without words would be in every search.
  constraint search_terms_key_filled check (key <> ''),
  constraint search_terms_topic check (topic in (
    'collectes', 'mairie', 'elus', 'defibrillateurs', 'alertes', 'agenda', 'acteurs', 'abonnement'))
);
-- A term leads to one page.
create unique index search_terms_key on search_terms (key) where deleted_at is null;
create trigger search_terms_touch before update on search_terms for each row execute function touch_row();
create trigger search_terms_notify after insert or update or delete or truncate on search_terms
  for each statement execute function notify_change();
