-- Deleted pages of a commune can be restored too.
alter table deleted_records drop constraint deleted_records_kind;
alter table deleted_records add constraint deleted_records_kind
  check (kind in ('alerte', 'collecte', 'elu', 'info', 'page')) not valid;
