-- outside a transaction

alter table publications validate constraint publications_heure_debut_day;

alter table publications validate constraint publications_heure_fin_start;

alter table publications validate constraint publications_heures_minutes;

alter table publications validate constraint publications_heures_order;
