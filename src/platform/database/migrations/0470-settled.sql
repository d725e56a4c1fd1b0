-- When somebody decided that nothing is to be done about a row that was given up: a payment event that failed, a mail of which
-- nobody knows whether it arrived. The audit log has who and why. Counts and notices leave such rows out.
alter table payment_events add column settled_at timestamptz(3);
alter table publication_mails add column email_settled_at timestamptz(3);
alter table alertes add column email_settled_at timestamptz(3);
alter table claims add column email_settled_at timestamptz(3);
alter table claim_questions add column email_settled_at timestamptz(3);
alter table support_messages add column email_settled_at timestamptz(3);

-- As for the other columns of a mail: settling it is no new version of an alerte or a claim.
create or replace trigger alertes_touch before update on alertes for each row
  execute function touch_row('email_status', 'email_status_at', 'email_error', 'email_tries', 'email_settled_at');
create or replace trigger claims_touch before update on claims for each row
  execute function touch_row('search', 'email_status', 'email_status_at', 'email_error', 'email_tries', 'may_have_arrived', 'email_settled_at');
