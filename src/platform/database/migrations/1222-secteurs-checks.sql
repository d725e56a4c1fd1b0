alter table secteurs validate constraint secteurs_rues;
alter table secteurs validate constraint secteurs_zone;
