-- So that no replica answers by what it was before a load of addresses, once the load was heard.
create trigger streets_notify after insert or update or delete or truncate on streets
  for each statement execute function notify_change();
create trigger addresses_notify after insert or update or delete or truncate on addresses
  for each statement execute function notify_change();
