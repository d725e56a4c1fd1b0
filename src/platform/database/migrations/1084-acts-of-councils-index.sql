-- outside a transaction
-- What councils make necessary, of one mairie or of all.
create index concurrently if not exists acts_of_councils on acts (kind, date, acteur_id)
  where kind in ('deliberation', 'liste_des_deliberations', 'proces_verbal');
