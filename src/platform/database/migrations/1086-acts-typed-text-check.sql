-- Only what has no text of its own has a typed one.
alter table acts add constraint acts_typed_text check (not (has_text and typed_text)) not valid;
