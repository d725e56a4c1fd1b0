-- Which of these weekdays in the month: 1 the first to 4 the fourth, -1 the last; null: every n weeks.
alter table collectes add column rang integer;
alter table collectes
  -- A fifth one does not come every month.
  add constraint collectes_rang check (rang between 1 and 4 or rang = -1) not valid,
  -- "The second Wednesday" names one weekday, and counts no weeks.
  add constraint collectes_rang_weekday check (rang is null or (cardinality(jours) = 1 and toutes_les_semaines = 1)) not valid;
