-- Adds up the totals of acteurs that were split by type. Others add to them meanwhile, and wait for nothing.
with split as (delete from listing_counts where list = 'acteur' and type_id is not null returning key, n)
insert into listing_counts (list, key, n) select 'acteur', key, sum(n) from split group by key having sum(n) <> 0;
