-- Until when the last weekly message that the subscriber was sent covered what was published; null before the first.
alter table resident_choices add column actualites_until timestamptz(3);
