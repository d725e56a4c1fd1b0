-- A correction of an alerte is told to those who were told of it, like its end.
alter table broadcasts drop constraint broadcasts_kind;
alter table broadcasts add constraint broadcasts_kind
  check (kind in ('alerte', 'alerte_correction', 'alerte_fin', 'actualites', 'collectes')) not valid;
