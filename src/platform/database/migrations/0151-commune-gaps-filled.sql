-- The communes that are there. Those that change meanwhile wait for it only if something that they lack changes.
select keep_commune_gaps(array(select id from communes));
