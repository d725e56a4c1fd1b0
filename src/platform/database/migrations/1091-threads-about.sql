-- What the mail was about whose answer began the thread; null: nobody answered a mail.
alter table support_threads add column about_kind text, add column about_id uuid;
alter table support_threads add constraint support_threads_about
  check ((about_kind is null) = (about_id is null) and about_kind in ('acteur', 'claim', 'complaint', 'user')) not valid;
