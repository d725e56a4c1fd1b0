/** Counts effects where they happen: each time a payment event is completed. */
export const noteEffects = (query: (text: string) => Promise<unknown>) =>
  query(`
    create table effects (event text);
    create function note_effect() returns trigger language plpgsql security definer as $$
      begin insert into public.effects values (new.id); return null; end $$;
    create trigger note_effect after update on payment_events for each row
      when (old.status is distinct from new.status) execute function note_effect()`)
