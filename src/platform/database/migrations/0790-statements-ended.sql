-- The decision that lifted or replaced the restriction: its undo opens the statement again. Null: undone, or edited.
alter table statements add column ended_by uuid;

-- Statements of what was lifted since, which would hold again by a later decision of the same kind.
update statements s set ended_at = now()
from publications p
where p.id = s.record_id and s.ended_at is null and (case s.restriction
  when 'rejected' then p.moderation_status <> 'rejected'
  when 'hidden' then p.valide
  when 'unfeatured' then p.en_avant
  when 'deleted' then p.deleted_at is null
  else false end or exists (
    select from statements newer
    where newer.record_id = s.record_id and newer.restriction = s.restriction and newer.ended_at is null
      and (newer.decided_at, newer.id) > (s.decided_at, s.id)));
