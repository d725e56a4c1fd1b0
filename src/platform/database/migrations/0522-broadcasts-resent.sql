-- When a member of the mairie had it sent again to those of whom nobody knew whether they got it; once.
alter table broadcasts add column resent_at timestamptz(3);
