-- Finds the same publications as before, with each word named once: 'loto' & ('mediathequ' | 'mediatheque':*) instead of
-- 'loto' & 'mediathequ' | 'loto' & 'mediatheque':*. The word index then reads the words before the last one only where
-- the others are met too.
create or replace function publication_query(asked text) returns tsquery
  language sql immutable strict parallel safe
begin atomic
  select case
    when numnode(last_stem) > 0 then others && (last_stem || beginning)
    -- The last word is one that French texts are full of: it says nothing beside others.
    when numnode(others) > 0 then others
    else nullif(beginning, ''::tsquery) end
  from (select btrim(plain_words(asked)) as words offset 0) as cut,
    lateral (select substring(words from '[^ ]*$') as last_word offset 0) as ending,
    lateral (
      select
        -- Not called without a word: it would send a notice.
        case when last_word = words then ''::tsquery
          else plainto_tsquery('pg_catalog.french', left(words, -char_length(last_word))) end as others,
        case when last_word = '' then ''::tsquery
          else plainto_tsquery('pg_catalog.french', last_word) end as last_stem,
        case when last_word = '' then ''::tsquery
          else plainto_tsquery('pg_catalog.simple', last_word) end as as_it_is offset 0) as read,
    lateral (
      select case when char_length(last_word) >= 3 and numnode(as_it_is) > 0
        then (as_it_is::text || ':*')::tsquery else as_it_is end as beginning offset 0) as begun;
end;
