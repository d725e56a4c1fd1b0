-- outside a transaction

-- Occurrences of calendars whose identifier has an hour, by identifier without it: an occurrence whose hour changed keeps
-- its publication. Other items have no entry.
create index concurrently if not exists import_items_of_any_hour
  on import_items (source_id, regexp_replace(external_id, 'T\d\d:\d\d:\d\dZ?$', ''))
  where external_id ~ 'T\d\d:\d\d:\d\dZ?$';
