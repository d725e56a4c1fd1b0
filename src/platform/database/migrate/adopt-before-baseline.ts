import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { StartError } from '../../config/start-error.ts'

/**
 * Adopts a database of the last version before the baseline, or of the one before that, and their backups. To be deleted
 * after the first release, with its test and fixture.
 */
type File = { name: string; text: string; digest: string }

const first = '0001-communes'
export const lastBeforeBaseline = '0352-lists-by-created-at'
/** Of the names and digests of all migrations of each version that is adopted: up to 0352, and up to 0320. */
const digestsOfAll = [
  '61f385097a09dd0f46888e1d255cc64a242105644c46bcd27047b9017076369e',
  '7a411c2be649274d9cfed4496d6c5bea894b513bbbfa1685639ecd85efcd46ae',
]
/** Migrations after the baseline have larger numbers than those before it, and stay recorded. */
const isBefore = (name: string) => name <= lastBeforeBaseline
const isBaseline = ({ name }: { name: string }) => name < '0100'

/** Returns true for the last version before the baseline, and throws for earlier ones. `what` and `advice` are for the error. */
export function isBeforeBaseline(
  applied: ReadonlyMap<string, string | null>,
  files: File[],
  { what, advice }: { what: string; advice: string },
): boolean {
  if (!applied.has(first) || files.some(({ name }) => name === first)) return false
  const former = [...applied.keys()].filter(isBefore).sort()
  const digest = createHash('sha256')
  for (const name of former) digest.update(`${name} ${applied.get(name)}\n`)
  if (digestsOfAll.includes(digest.digest('hex'))) return true
  throw new StartError(`${what} comes from a version that is too old (migration ${former.at(-1)}): ${advice}`)
}

/** Returns the migrations of such a backup as if it had the baseline. */
export function adoptMigrations(migrations: Record<string, string>, files: File[]): Record<string, string> {
  return Object.fromEntries([
    ...files.filter(isBaseline).map(({ name, digest }) => [name, digest] as const),
    ...Object.entries(migrations).filter(([name]) => !isBefore(name)),
  ])
}

/** Renames what the baseline names otherwise, and records the baseline as applied, in one transaction. */
export async function adopt(
  // biome-ignore lint/suspicious/noExplicitAny: Kysely's own type of a database that is being migrated
  db: Kysely<any>,
  files: File[],
): Promise<void> {
  const baseline = files.filter(isBaseline)
  await db.transaction().execute(async (tx) => {
    const { rows: latest } =
      await sql`select from kysely_migration where name = ${lastBeforeBaseline}`.execute(tx)
    if (latest.length === 0) await sql.raw(migrationsFrom0330).execute(tx)
    await sql.raw(additions).execute(tx)
    await sql.raw(renames).execute(tx)
    for (const definition of functionsOf(baseline)) await sql.raw(definition).execute(tx)
    // Kysely orders applied migrations by time: the baseline comes before what was applied after it.
    const { rows } = await sql<{ timestamp: string }>`
      select timestamp from kysely_migration where name = ${first}`.execute(tx)
    await sql`delete from kysely_migration where name collate "C" <= ${lastBeforeBaseline}`.execute(tx)
    await sql`delete from migration_digests where name collate "C" <= ${lastBeforeBaseline}`.execute(tx)
    for (const { name, digest } of baseline) {
      await sql`insert into kysely_migration (name, timestamp) values (${name}, ${rows[0]?.timestamp})`.execute(
        tx,
      )
      await sql`insert into migration_digests (name, digest) values (${name}, ${digest})`.execute(tx)
    }
  })
}

/** The functions of the baseline, to be replaced: their texts call each other by the new names. */
function functionsOf(files: File[]): string[] {
  const definition =
    /^create (function [^;]*?(?:\$\$[\s\S]*?\$\$|begin atomic[\s\S]*?^end|return [\s\S]*?));$/gm
  return files.flatMap(({ text }) =>
    Array.from(text.matchAll(definition), ([, found]) => `create or replace ${found}`),
  )
}

/** Returns a table of a backup under its present names. */
export function adoptTable({ name, columns }: { name: string; columns: string[] }) {
  const renamed = renamedTables[name] ?? { name, columns: {} }
  return { name: renamed.name, columns: columns.map((column) => renamed.columns[column] ?? column) }
}

const renamedTables: Record<string, { name: string; columns: Record<string, string> }> = {
  'public.kept_answers': { name: 'public.idempotent_responses', columns: { answer: 'response' } },
  'public.mail_notices': { name: 'public.mail_notices', columns: { told_until: 'notified_until' } },
}

/** The changes of the migrations 0330 to 0352. */
const migrationsFrom0330 = `
  alter table support_messages add column thread_closed_at timestamp(3) with time zone;
  alter table email_challenges drop constraint email_challenges_whole;
  alter table email_challenges add constraint email_challenges_whole check (
    (purpose = 'sign_in') = (browser_hash is not null)
    and (session_id is null or purpose in ('confirmation', 'address'))
    and (session_id is not null or purpose <> 'confirmation')
    and (purpose <> 'address' or address is not null)
    and (purpose in ('sign_in', 'address') or address is null)
    and (purpose = 'address' or address is null or user_id is not null)
    and (purpose = 'sign_in' or user_id is not null));
  alter table claims add column reference text;
  create unique index claims_reference on claims (reference) where reference is not null;
  create index users_by_created on users (created_at, id);
  create index acteurs_by_created on acteurs (created_at, id);
  create index subscriptions_by_created on subscriptions (created_at, id);
`

/** The changes that came with the baseline. */
const additions = `
  insert into app_sources (code, label) values ('site', 'Site public') on conflict (code) do nothing;
  create index publications_slug on publications (slug);
`

const renames = `
  alter table kept_answers rename to idempotent_responses;
  alter table idempotent_responses rename column answer to response;
  alter index kept_answers_by_age rename to idempotent_responses_by_age;
  alter table mail_notices rename column told_until to notified_until;
  alter trigger publications_leave_communes on publications rename to publications_remove_communes;
  alter trigger acteurs_relist on acteurs rename to acteurs_refresh_listings;
  alter function tell_change rename to notify_change;
  alter function count_change rename to increment_version;
  alter function list_again rename to refresh_publication_listings;
  alter function relist_publications rename to lock_and_refresh_publication_listings;
  alter function relist_acteur rename to refresh_listings_of_acteur;
  alter function keep_last_admin rename to refuse_loss_of_last_admin;
  alter function keep_merge_target rename to check_merge_target;
  alter function keep_publications rename to maintain_publications;
  alter function keep_commune_lists rename to maintain_commune_lists;
  alter function keep_publication_words rename to maintain_publication_words;
  alter function keep_commune_gaps rename to maintain_commune_gaps;
  alter function keep_gaps_of_rows rename to maintain_gaps_of_rows;
  alter function keep_gaps_of_row rename to maintain_gaps_of_row;
  alter function keep_gaps_of_communes rename to maintain_gaps_of_communes;
  alter function keep_gaps_of_mairie rename to maintain_gaps_of_mairie;
  alter function leave_communes rename to remove_communes;
  alter function note_uncertain_mail rename to mark_mail_may_have_arrived;
  do $$ declare
    old record;
  begin
    for old in select tgname as name, tgrelid::regclass as relation from pg_trigger where tgname like '%\\_told' loop
      execute format('alter trigger %I on %s rename to %I', old.name, old.relation, replace(old.name, '_told', '_notify'));
    end loop;
    -- The primary key; since PostgreSQL 18 also "not null".
    for old in select conname as name, conrelid::regclass as relation from pg_constraint
      where conrelid in ('idempotent_responses'::regclass, 'mail_notices'::regclass) and conname ~ '^kept_answers|told_until' loop
      execute format('alter table %s rename constraint %I to %I', old.relation, old.name, replace(replace(replace(old.name,
        'kept_answers', 'idempotent_responses'), '_answer_', '_response_'), 'told_until', 'notified_until'));
    end loop;
  end $$;
  alter table decisions validate constraint decisions_outcome;`
