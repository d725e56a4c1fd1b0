import { expect, test } from 'vitest'
import { cloneDatabase, run } from '../support/world.ts'

const { superuser } = await cloneDatabase()

type Row = Record<string, unknown>
type Check = { name: string; table: string; expression: string }

const now = '2026-05-04T10:00:00Z'
const id = '01890000-0000-7000-8000-000000000000'
const other = '01890000-0000-7000-8000-000000000001'
const bytes = (count: number) => `\\x${'00'.repeat(count)}`
const seal = { number: 1, after_seq: 0, last_seq: 1, entries: bytes(32), previous: bytes(32), mac: bytes(32) }
const erased = { erased_at: now, actif: false }

/** For each check of the database, rows that break it: of no more than the columns that it looks at. */
const breaches: Record<string, Row[]> = {
  acteurs_badge_length: [{ badge: 'x'.repeat(51) }],
  acteurs_type: [{ type: 'prefecture' }],
  actor_users_permissions: [{ permissions: ['delete_everything'] }],
  actor_users_role: [{ role: 'admin' }],
  alertes_niveau: [{ niveau: 'panique' }],
  alertes_one_owner: [{}, { commune_id: id, acteur_id: id }],
  alertes_period: [{ debut: '2026-05-04T10:00:01Z', fin: now }],
  app_sources_code_form: [{ code: '' }, { code: 'Site' }, { code: '-site' }, { code: 'x'.repeat(51) }],
  audit_seals_form: [
    { ...seal, number: 0 },
    { ...seal, last_seq: 0 },
    { ...seal, entries: bytes(0) },
    { ...seal, entries: bytes(33) },
    { ...seal, previous: bytes(31) },
    { ...seal, mac: bytes(33) },
  ],
  claims_approved_for_somebody: [{ status: 'approved' }],
  claims_decided: [{ status: 'expired', decided_by: id }],
  claims_email_status: [{ email_status: 'lost' }],
  claims_email_status_dated: [{ email_status: 'sent' }, { email_status_at: now }],
  claims_ended: [{ status: 'pending', ended_at: now }, { status: 'rejected' }],
  claims_message_length: [{ message: '' }, { message: 'x'.repeat(2001) }],
  claims_pseudonymised_whole: [
    { pseudonymised_at: now, message: '' },
    { pseudonymised_at: now, ended_at: now, message: 'Bonjour' },
    ...['nom', 'email', 'telephone', 'reason'].map((field) => ({
      ...{ pseudonymised_at: now, ended_at: now, message: '' },
      [field]: 'x',
    })),
  ],
  claims_status: [{ status: 'maybe' }],
  collectes_anchor: [{ toutes_les_semaines: 2, jours: ['lundi'] }],
  collectes_every_weeks: [{ toutes_les_semaines: 0 }, { toutes_les_semaines: 53 }],
  collectes_exceptions: [{ exceptions: {} }],
  collectes_jours: [{ jours: ['monday'] }],
  collectes_mode: [{ mode: 'drone' }],
  commune_aliases_type: [{ type: 'jumelee' }],
  commune_infos_cle_form: [{ cle: '' }, { cle: 'Clé' }, { cle: 'x'.repeat(51) }],
  communes_code_insee_form: [{ code_insee: '1305' }, { code_insee: '130555' }, { code_insee: '1C055' }],
  communes_coordinates: [
    ...[{ latitude: 1 }, { longitude: 1 }],
    ...[-91, 91].map((latitude) => ({ latitude, longitude: 0 })),
    ...[-181, 181].map((longitude) => ({ latitude: 0, longitude })),
  ],
  communes_population_positive: [{ population: -1 }],
  communes_slug_form: [{ slug: '' }, { slug: 'a--b' }, { slug: 'a-' }, { slug: 'É' }],
  defibrillateur_syncs_error: [{ status: 'failed' }, { status: 'succeeded', error: 'x' }],
  defibrillateur_syncs_finished: [{ status: 'succeeded' }, { status: 'queued', finished_at: now }],
  defibrillateur_syncs_source: [{ source: 'rumeur' }],
  defibrillateur_syncs_status: [{ status: 'partial' }],
  defibrillateurs_coordinates: [
    ...[{ latitude: 1 }, { longitude: 1 }],
    ...[-91, 91].map((latitude) => ({ latitude, longitude: 0 })),
    ...[-181, 181].map((longitude) => ({ latitude: 0, longitude })),
  ],
  defibrillateurs_statut_commune: [{ statut_admin_commune: 'volé' }],
  defibrillateurs_statut_france: [{ statut_admin_france: 'volé' }],
  duplicate_groups_members: [{ members: -1 }],
  import_items_action: [{ action: 'rejected' }],
  import_runs_counted: [{ fetched: 3, created: 1, updated: 1, unchanged: 0, duplicates: 0, rejected: 0 }],
  import_runs_finished: [{ status: 'running', finished_at: now }, { status: 'partial' }],
  import_runs_status: [{ status: 'paused' }],
  import_sources_due: [
    { next_run_at: now, actif: false, cron: '0 6 * * *' },
    { next_run_at: now, actif: true },
    { next_run_at: now, actif: true, cron: '0 6 * * *', deleted_at: now },
  ],
  import_sources_mapping: [{ type: 'csv' }, { type: 'rss', mapping: {} }],
  import_sources_paused: [{ actif: true, paused_reason: 'too many failures' }],
  import_sources_status: [{ moderation_status: 'rejected' }],
  import_sources_type: [{ type: 'fax' }],
  listing_counts_list: [{ list: 'region' }],
  mail_notices_one_row: [{ only_one: false }],
  payment_events_ended: [{ status: 'received', ended_at: now }, { status: 'processed' }],
  payment_events_failed_why: [{ status: 'failed' }],
  payment_events_fields_object: [{ fields: [] }],
  payment_events_status: [{ status: 'lost' }],
  publication_counts_list: [{ list: 'region' }],
  publication_reports_category: [{ category: 'boring' }],
  publications_dates_order: [{ date_debut: '2026-05-04', date_fin: '2026-05-03' }],
  publications_duplicate_key_form: [{ duplicate_key: `x:${'0'.repeat(32)}` }, { duplicate_key: 'u:0' }],
  publications_featured_whole: [{ en_avant: false, featured_until: now }],
  publications_published_time: [{ moderation_status: 'published' }],
  publications_status: [{ moderation_status: 'hidden' }],
  publications_title_length: [{ title: '' }, { title: 'x'.repeat(201) }],
  publications_valid_status: ['pending', 'rejected'].map((moderation_status) => ({
    valide: true,
    moderation_status,
  })),
  rate_limits_key_hashed: [{ key: '192.0.2.1' }, { key: `create:${'x'.repeat(21)}` }],
  subscriptions_acteur_as_set: [{ acteur_set: id, acteur_id: other }],
  subscriptions_checkout_from: [{ checkout_at: now }, { checkout_at: now, checkout_rank: 1 }],
  subscriptions_status: [{ status: 'gold' }],
  subscriptions_status_from: [{ status: 'active' }, { status: 'active', status_at: now, status_rank: 1 }],
  support_messages_body_length: [{ body: '' }, { body: 'x'.repeat(10_001) }],
  support_messages_direction: [{ direction: 'sideways' }],
  support_messages_email_status: [{ email_status: 'lost' }],
  support_messages_email_status_dated: [{ email_status: 'sent' }, { email_status_at: now }],
  support_messages_mailed: [{ direction: 'outbound' }, { direction: 'inbound', email_status: 'sent' }],
  support_threads_closed: [{ status: 'closed' }, { status: 'open', closed_at: now }],
  support_threads_flag: [{ flag: 'pink' }],
  support_threads_has_messages: [{ messages_count: 0 }],
  support_threads_status: [{ status: 'lost' }],
  user_roles_role: [{ role: 'emperor' }],
  users_email_verified: [
    { email_verified: true, email: 'a@b.example' },
    { email_verified: true, issuer: 'parvis' },
  ],
  users_erased_whole: [
    { ...erased, actif: true },
    { ...erased, last_seen_at: now },
    ...['issuer', 'subject', 'email', 'nom'].map((field) => ({ ...erased, [field]: 'x' })),
  ],
  users_identity_whole: [{ issuer: 'parvis' }, { subject: 'odile' }],
  users_known: [{}],
}

const { rows: checks } = (await run(
  superuser,
  `select conname as name, conrelid::regclass::text as table, pg_get_expr(conbin, conrelid) as expression
  from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace order by conname`,
)) as { rows: Check[] }

test('each check of the database is broken here on purpose', () => {
  expect(checks.map(({ name }) => name)).toEqual(Object.keys(breaches).sort())
})

test.each(checks)('$name refuses what it is there to refuse', async ({ name, table, expression }) => {
  const rows = JSON.stringify(breaches[name] ?? []).replaceAll("'", "''")
  const made = `jsonb_populate_recordset(null::${table}, '${rows}'::jsonb)`
  const { rows: answers } = await run(superuser, `select (${expression}) as holds from ${made}`)
  expect(answers).toEqual((breaches[name] ?? ['none']).map(() => ({ holds: false })))
})
