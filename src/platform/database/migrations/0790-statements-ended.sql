-- The decision that lifted or replaced the restriction: its undo opens the statement again. Null: undone, or edited.
alter table statements add column ended_by uuid;
