-- The public site reads as this application, which an administrator may restrict to communes or switch off.
insert into app_sources (code, label) values ('site', 'Site public') on conflict (code) do nothing;
