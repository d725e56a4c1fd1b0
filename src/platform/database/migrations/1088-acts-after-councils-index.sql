-- outside a transaction
-- Whether a mairie has published what one of its councils makes necessary.
create index concurrently if not exists acts_after_councils on acts (acteur_id, kind, date)
  where kind in ('liste_des_deliberations', 'proces_verbal');
