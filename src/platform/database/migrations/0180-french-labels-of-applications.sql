-- The back-office shows these labels. Those that somebody changed stay.
update app_sources set label = 'Application publique' where code = 'public' and label = 'Public application';
update app_sources set label = 'Mairie' where code = 'mairie' and label = 'Municipal office';
