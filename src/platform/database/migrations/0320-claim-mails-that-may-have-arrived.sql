-- A former attempt to mail the decision ended uncertain: the claimant may know, so the decision cannot be undone any more.
-- As for replies of the support inbox.
alter table claims add column may_have_arrived boolean not null default false;

create trigger claims_may_have_arrived before update of email_status on claims for each row
  when (old.email_status = 'uncertain' and new.email_status <> 'uncertain')
  execute function note_uncertain_mail();

-- Like the other columns about the mail, it is no change of the claim.
drop trigger claims_touch on claims;
create trigger claims_touch before update on claims for each row
  execute function touch_row('search', 'email_status', 'email_status_at', 'email_error', 'email_tries', 'may_have_arrived');
