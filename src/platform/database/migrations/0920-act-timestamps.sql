-- The certificates that the operator trusted when a timestamp came, as PEM: they verify it when the authority has retired.
create table act_authorities (
  digest bytea primary key,
  pem text not null,
  constraint act_authorities_digest check (digest = sha256(convert_to(pem, 'UTF8')))
);
create trigger act_authorities_append_only before update or delete or truncate on act_authorities
  for each statement execute function refuse_change();

-- What an authority (RFC 3161) said of a seal: waiting → received. A seal covers all seals before it, and so does its timestamp.
create table act_timestamps (
  number bigint primary key constraint act_timestamps_seal references act_seals,
  attempts integer not null default 0,
  next_at timestamptz(3) not null,
  -- Why the last attempt failed.
  problem text,
  -- The reply as it came, when the authority saw the seal, its name, and the certificates that verified it.
  reply bytea, at timestamptz(3), authority text,
  authority_digest bytea constraint act_timestamps_authority references act_authorities,
  constraint act_timestamps_whole check (num_nonnulls(reply, at, authority, authority_digest) in (0, 4)),
  constraint act_timestamps_size check (octet_length(reply) between 1 and 65536
    and char_length(authority) between 1 and 200 and char_length(problem) between 1 and 300)
);
create index act_timestamps_due on act_timestamps (next_at, number) where reply is null;
-- The foreign key.
create index act_timestamps_by_authority on act_timestamps (authority_digest) where authority_digest is not null;

-- Refuses to change or delete a timestamp that was received.
create function protect_act_timestamp() returns trigger language plpgsql as $$ begin
  if old.reply is null and tg_op = 'UPDATE' and new.number = old.number then return new; end if;
  raise exception 'a timestamp does not change' using errcode = 'insufficient_privilege';
end $$;
create trigger act_timestamps_protect before update or delete on act_timestamps
  for each row execute function protect_act_timestamp();
create trigger act_timestamps_kept before truncate on act_timestamps for each statement execute function refuse_change();
create trigger act_timestamps_notify after insert or update on act_timestamps
  for each statement execute function notify_change();
