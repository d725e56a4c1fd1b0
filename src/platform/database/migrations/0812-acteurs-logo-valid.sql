-- Apart, because it reads all rows, while others may write.
alter table acteurs validate constraint acteurs_logo;
