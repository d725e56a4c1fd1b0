-- Instances remember users between requests: a revocation of tokens must reach them too.
create or replace trigger users_told after update of actif, issuer, subject, erased_at, tokens_valid_from
  or delete or truncate on users for each statement execute function tell_change();
