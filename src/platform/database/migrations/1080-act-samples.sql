-- Samples of what is on line are links of the chain too, and of no act.
alter table act_seals alter column act_id drop not null;
-- A link that is of no act is a sample.
alter table act_seals add constraint act_seals_of
  check (act_id is not null or (record::jsonb ->> 'kind') is not distinct from 'presence') not valid;
