-- outside a transaction

-- Reads the table without locking it against writes.
alter table collectes validate constraint collectes_rang;
alter table collectes validate constraint collectes_rang_weekday;
