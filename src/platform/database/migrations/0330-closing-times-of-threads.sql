-- When the thread had been closed that a reply reopened, so that its undo restores the time; retention counts from it.
alter table support_messages add column thread_closed_at timestamp(3) with time zone;
