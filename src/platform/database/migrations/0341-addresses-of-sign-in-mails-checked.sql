-- outside a transaction
alter table email_challenges validate constraint email_challenges_whole;
