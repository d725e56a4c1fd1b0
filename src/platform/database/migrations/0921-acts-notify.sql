-- Nobody but its mairie sees a draft: what becomes of one says nothing to the caches of public pages.
drop trigger acts_notify on acts;
create trigger acts_notify after update on acts for each row
  when (old.state <> 'draft' or new.state <> 'draft') execute function notify_change();
create trigger acts_notify_inserted after insert on acts for each row
  when (new.state <> 'draft') execute function notify_change();
-- Files come with drafts, whose publication is notified, and go with drafts and occultations.
drop trigger act_files_notify on act_files;
create trigger act_files_notify after delete on act_files for each statement execute function notify_change();
