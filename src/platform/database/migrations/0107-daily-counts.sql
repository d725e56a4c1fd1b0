-- Counts of each day (Europe/Paris) that is over, for the series of the dashboard: counted once, by a job. A million
-- publications would be counted again at each request otherwise.

create table daily_counts (
  day date not null,
  -- Name of the count, as a module gives it.
  key text not null,
  n integer not null,
  constraint daily_counts_pkey primary key (day, key),
  constraint daily_counts_n check (n >= 0)
);
