-- The ground by which reports were examined, as it was then: the outcome names it where nothing was taken.
alter table publication_reports add column closed_ground jsonb;
-- What readers can say is wrong. `personal`: it is about the reader.
alter table publication_reports drop constraint publication_reports_category;
alter table publication_reports add constraint publication_reports_category
  check (category in ('spam', 'inappropriate', 'wrong', 'duplicate', 'personal', 'other')) not valid;

-- Ends the cases of publications, tells what was taken back, and writes the mails of both, whatever changed the publications.
-- A case is open while a report is open and the publication is neither deleted nor hidden with
-- its acteur. It is settled at the end of the transaction, which by then has recorded grounds and statements.
create or replace function settle_report_cases(ids uuid[]) returns void language plpgsql as $$
declare
  ended record;
  next_id uuid;
begin
  -- What has ended is open again: its reports and reporters go on in another case.
  for ended in
    select c.id, c.publication_id from report_cases c
    join publications p on p.id = c.publication_id left join acteurs a on a.id = p.acteur_id
    where c.publication_id = any(ids) and c.ended_at is not null
      and p.deleted_at is null and (p.acteur_id is null or (a.active and a.deleted_at is null))
      and exists (select from publication_reports r where r.case_id = c.id and r.closed_at is null)
    order by c.ended_at, c.id
  loop
    insert into report_cases (publication_id) values (ended.publication_id)
    on conflict (publication_id) where ended_at is null do update set opened_at = report_cases.opened_at
    returning id into next_id;
    update publication_reports set case_id = next_id where case_id = ended.id and closed_at is null;
    -- Whom nobody has told of the outcome never learns of it.
    delete from report_mails where case_id = ended.id and kind = 'outcome' and email_status in ('queued', 'failed');
    update case_reporters f set case_id = next_id
    where f.case_id = ended.id
      and not exists (select from report_mails m
        where m.case_id = f.case_id and m.reporter_id = f.reporter_id and m.kind = 'outcome')
      and not exists (select from case_reporters o where o.case_id = next_id and o.reporter_id = f.reporter_id);
    insert into case_reporters (case_id, reporter_id, report_id, is_told)
    select next_id, f.reporter_id, f.report_id, f.is_told from case_reporters f where f.case_id = ended.id
    on conflict (case_id, reporter_id) do update set is_told = case_reporters.is_told or excluded.is_told;
    update report_cases set followed_by = 'reopened', followed_at = now() where id = ended.id;
    insert into report_mails (case_id, reporter_id, kind)
    select m.case_id, m.reporter_id, 'followed' from report_mails m where m.case_id = ended.id and m.kind = 'outcome'
    on conflict (case_id, reporter_id, kind) do nothing;
  end loop;

  -- What was taken is public again. An outcome that has not left says so itself.
  with restored as (
    update report_cases c set followed_by = 'restored', followed_at = now()
    from publications p left join acteurs a on a.id = p.acteur_id
    where c.publication_id = any(ids) and p.id = c.publication_id and c.ended_at is not null and c.followed_at is null
      and c.outcome in ('rejected', 'duplicate', 'hidden', 'deleted', 'withdrawn', 'deactivated')
      and is_listed(p, a) and p.publie_le <= clock_timestamp()
    returning c.id)
  insert into report_mails (case_id, reporter_id, kind)
  select m.case_id, m.reporter_id, 'followed' from restored join report_mails m on m.case_id = restored.id
  where m.kind = 'outcome' and m.email_status not in ('queued', 'failed')
  on conflict (case_id, reporter_id, kind) do nothing;

  with state as (
    select c.id, p.id as publication_id, p.acteur_id, last_report.closed_as, last_report.ground,
      case
        when p.deleted_at is not null then case when p.withdrawn_at = p.deleted_at then 'withdrawn' else 'deleted' end
        when not coalesce(a.active and a.deleted_at is null, p.acteur_id is null) then 'deactivated'
        when last_report.closed_as = 'expired' then 'expired'
        when last_report.closed_as = 'decided' and p.moderation_status = 'rejected' then 'rejected'
        when last_report.closed_as = 'decided' and not p.valide then 'hidden'
        when exists (select from publication_versions v
          where v.publication_id = p.id and v.how in ('edited', 'corrected') and v.written_at >= c.opened_at) then 'corrected'
        when last_report.closed_as = 'unfounded' then 'unfounded'
        else 'kept' end as outcome
    from report_cases c
    join publications p on p.id = c.publication_id left join acteurs a on a.id = p.acteur_id
    cross join lateral (
      select case when bool_or(r.closed_at is null) then 'open'
        else (array_agg(coalesce(r.closed_as, 'decided') order by r.closed_at desc))[1] end as closed_as,
        (array_agg(r.closed_ground order by r.closed_at desc nulls last))[1] as ground
      from publication_reports r where r.case_id = c.id) last_report
    where c.publication_id = any(ids) and c.ended_at is null
      and (last_report.closed_as is distinct from 'open' or p.deleted_at is not null
        or not coalesce(a.active and a.deleted_at is null, p.acteur_id is null))),
  ending as (
    update report_cases c set ended_at = now(),
      outcome = case when state.outcome = 'rejected' and (s.is_kept or s.ground->>'code' = 'doublon') then 'duplicate'
        else state.outcome end,
      ended_by = case state.outcome when 'withdrawn' then 'author' when 'expired' then 'rule' else 'team' end,
      -- Of what the decision took; else the one by which the reports were examined.
      ground = coalesce(s.ground, case when state.outcome in ('kept', 'unfounded', 'corrected') then state.ground end)
    from state left join lateral (
      select s.ground, exists (select from decisions d
        where d.id = s.decision_id and d.action = 'publication.keep') as is_kept
      from statements s
      where s.ended_at is null and s.restriction = state.outcome and s.record_id = state.publication_id
        or s.ended_at is null and s.restriction = 'deactivated' and state.outcome = 'deactivated' and s.record_id = state.acteur_id
      order by s.decided_at desc, s.id desc limit 1) s on true
    -- Another transaction may have ended it meanwhile: its acteur was hidden while reports were closed.
    where c.id = state.id and c.ended_at is null
    returning c.id)
  insert into report_mails (case_id, reporter_id, kind)
  select f.case_id, f.reporter_id, 'outcome'
  from ending join case_reporters f on f.case_id = ending.id join reporters r on r.id = f.reporter_id
  where f.is_told or r.confirmed_at is not null
  on conflict (case_id, reporter_id, kind) do nothing;
end $$;
