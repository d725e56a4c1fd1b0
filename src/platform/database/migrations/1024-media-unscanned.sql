-- Since when it waits for the antivirus; null: it does not. Until then, only those see it who may read its record.
alter table media add column unscanned_since timestamptz(3);
create or replace trigger media_touch before update on media
  for each row execute function touch_row('created_at', 'unused_since', 'unscanned_since');
-- Readers see it from then on.
create trigger media_scanned after update on media for each row
  when (new.kind = 'image' and old.unscanned_since is distinct from new.unscanned_since)
  execute function notify_described();
create trigger media_document_scanned after update on media for each row
  when (new.kind = 'document' and old.unscanned_since is distinct from new.unscanned_since)
  execute function notify_renamed();
