-- outside a transaction

-- The back-office list of defibrillators by commune, downwards: those without a commune come last.
create index concurrently if not exists defibrillateurs_by_commune_name_downwards
  on defibrillateurs (sort_commune desc nulls last, sort_name desc, id desc);

-- The same list by the date of the registry, upwards: those without a date come last.
create index concurrently if not exists defibrillateurs_by_date_upwards on defibrillateurs (mis_a_jour_le, id);
