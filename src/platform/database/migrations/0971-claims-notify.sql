-- The page of an acteur says whether a claim to it is pending. Mails change claims too, and no page shows them.
create trigger claims_notify after insert or update of status, acteur_id or delete on claims
  for each statement execute function notify_change();
