create extension if not exists unaccent with schema public;
create extension if not exists pg_trgm with schema public;

-- Words compare without accents, case or ligatures. The dictionary is named, so that the search path changes no result.
create function search_key(value text) returns text language sql immutable strict parallel safe
  return btrim(regexp_replace(lower(public.unaccent('public.unaccent'::regdictionary, value)), '[^a-z0-9]+', ' ', 'g'));

-- Increments the version, which If-Match compares, when a column changed that is not among the arguments (generated columns).
create function touch_row() returns trigger language plpgsql as $$ declare ignored text[] := coalesce(tg_argv, '{}'); begin
  if to_jsonb(new) - ignored is distinct from to_jsonb(old) - ignored then
    new.version := old.version + 1;
    new.updated_at := now();
  end if;
  return new;
end $$;

-- The same for publications, whose trigger compares the rows: quicker than writing both as JSON.
create function increment_version() returns trigger language plpgsql as $$ begin
  new.version := old.version + 1;
  new.updated_at := now();
  return new;
end $$;

-- Keeps a table append-only, for its owner too.
create function refuse_change() returns trigger language plpgsql as $$ begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;

-- Letters and digits without accents and case, a space between words, the same under every locale. NFKC reads ₂₀, ﬁ and ™.
create function plain_words(value text) returns text language sql immutable strict parallel safe
  return regexp_replace(
    lower(public.unaccent('public.unaccent'::regdictionary, normalize(value, nfkc))),
    '[\u0001-/:-@[-`{-©«-±´¶-¸»-¿×÷\u2000-\u2bff\u2e00-\u2e7f\u3000-\u303f\ufe00-\ufe6f\uff01-\uff0f\ufffd\U0001f000-\U0001faff]+',
    ' ', 'g');

-- The words of an HTML text. Inline tags divide no word; others do.
create function words_of_html(html text) returns text language sql immutable strict parallel safe
  return plain_words(regexp_replace(regexp_replace(
    html, '</?(?:a|b|em|i|strong|u)(?: [^>]*)?>', '', 'g'), '<[^>]*>|&(?:amp|lt|gt|quot);', ' ', 'g'));

-- Notifies every instance, with the commit, of the tags among its arguments or else of its table: cached responses expire.
create function notify_change() returns trigger language plpgsql as $$ begin
  if tg_nargs = 0 then
    perform pg_notify('parvis_changes', tg_table_name);
  else
    perform pg_notify('parvis_changes', tag) from unnest(tg_argv) tag;
  end if;
  return null;
end $$;

-- A mail whose former attempt ended uncertain may have arrived. On update of email_status, whichever route or job writes it.
create function mark_mail_may_have_arrived() returns trigger language plpgsql as $$ begin
  new.may_have_arrived := true;
  return new;
end $$;
