-- What a claimant quotes to support: a code that cannot be guessed. Claims from before have none.
alter table claims add column reference text;
