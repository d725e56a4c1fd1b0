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

/** For each check constraint, rows that violate it, with only the columns it looks at. */
const breaches: Record<string, Row[]> = {
  acteurs_badge_length: [{ badge: 'x'.repeat(51) }],
  acteurs_merged_elsewhere: [{ merged_into: id, id }],
  acteurs_merged_whole: [{ merged_into: id }, { merged_at: now }],
  acteurs_type: [{ type: 'prefecture' }],
  actor_users_permissions: [{ permissions: ['delete_everything'] }],
  actor_users_role: [{ role: 'admin' }],
  alertes_email_status: [{ email_status: 'lost' }],
  alertes_email_status_dated: [{ email_status: 'sent' }, { email_status_at: now }],
  alertes_niveau: [{ niveau: 'panique' }],
  alertes_one_owner: [{}, { commune_id: id, acteur_id: id }],
  alertes_period: [{ debut: '2026-05-04T10:00:01Z', fin: now }],
  app_sources_code_form: [{ code: '' }, { code: 'Site' }, { code: '-site' }, { code: 'x'.repeat(51) }],
  audit_seal_faults_reason: [{ reason: 'lost' }],
  audit_seals_form: [
    { ...seal, number: 0 },
    { ...seal, last_seq: 0 },
    { ...seal, entries: bytes(0) },
    { ...seal, entries: bytes(33) },
    { ...seal, previous: bytes(31) },
    { ...seal, mac: bytes(33) },
  ],
  audit_verifications_counts: [
    { seals: -1, rows: 0, faults: 0 },
    { seals: 0, rows: -1, faults: 0 },
    { seals: 0, rows: 0, faults: -1 },
  ],
  claim_questions_body_length: [{ body: '' }, { body: 'x'.repeat(5_001) }],
  claim_questions_email_status: [{ email_status: 'lost' }],
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
  claims_questions_count: [{ questions_count: -1 }, { questions_count: 11 }],
  claims_status: [{ status: 'maybe' }],
  claims_waits_whole: [
    { questions_count: 1 },
    { questions_count: 0, asked_at: now, waits_until: now },
    { questions_count: 1, asked_at: now },
    { questions_count: 1, waits_until: now },
    { questions_count: 1, asked_at: now, waits_until: '2026-05-04T09:59:59.999Z' },
    { questions_count: 1, asked_at: now, waits_until: '2026-05-18T10:00:00.001Z' },
  ],
  collectes_anchor: [{ toutes_les_semaines: 2, jours: ['lundi'] }],
  collectes_every_weeks: [{ toutes_les_semaines: 0 }, { toutes_les_semaines: 53 }],
  collectes_exceptions: [{ exceptions: {} }],
  collectes_jours: [{ jours: ['monday'] }],
  collectes_mode: [{ mode: 'drone' }],
  commune_aliases_type: [{ type: 'jumelee' }],
  commune_infos_cle_form: [{ cle: '' }, { cle: 'Clé' }, { cle: 'x'.repeat(51) }],
  commune_gaps_known: [{ gaps: -1 }, { gaps: 16 }],
  communes_code_insee_form: [{ code_insee: '1305' }, { code_insee: '130555' }, { code_insee: '1C055' }],
  communes_coordinates: [
    ...[{ latitude: 1 }, { longitude: 1 }],
    ...[-91, 91].map((latitude) => ({ latitude, longitude: 0 })),
    ...[-181, 181].map((longitude) => ({ latitude: 0, longitude })),
  ],
  communes_population_positive: [{ population: -1 }],
  communes_slug_form: [{ slug: '' }, { slug: 'a--b' }, { slug: 'a-' }, { slug: 'É' }],
  daily_counts_n: [{ n: -1 }],
  decision_items_versions: [{ version_before: 2, version: 1 }],
  decisions_kind: [{ kind: 'alerte' }],
  decisions_outcome: [{ outcome: 'expired' }],
  decisions_undone_whole: [{ undone_at: now }, { undone_by: id }],
  defibrillateur_sync_progress_read: [{ read: -1 }],
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
  digest_mails_email_status: [{ email_status: 'lost' }],
  duplicate_groups_members: [{ members: -1 }],
  email_challenges_browser: [{ browser_hash: bytes(31) }],
  email_challenges_codes: [{ wrong_codes: 6 }, { wrong_codes: -1 }],
  email_challenges_purpose: [{ purpose: 'newsletter' }],
  email_challenges_whole: [
    { purpose: 'sign_in' },
    { purpose: 'operator', user_id: id, browser_hash: bytes(32) },
    { purpose: 'operator' },
    { purpose: 'confirmation', user_id: id },
    { purpose: 'operator', user_id: id, session_id: id },
    { purpose: 'address', user_id: id, session_id: id },
    { purpose: 'address', address: 'a@b.example' },
    { purpose: 'operator', user_id: id, address: 'a@b.example' },
  ],
  identity_keys_form: [
    { id: 0, key: bytes(32) },
    { id: 1, key: bytes(31) },
  ],
  import_items_action: [{ action: 'rejected' }],
  import_run_items_action: [{ action: 'held' }],
  import_run_items_bounded: [{ position: -1 }, { position: 1_000 }],
  import_runs_counted: [{ fetched: 3, created: 1, updated: 1, unchanged: 0, duplicates: 0, rejected: 0 }],
  import_runs_finished: [{ status: 'running', finished_at: now }, { status: 'partial' }],
  import_runs_held_decided: [{ held_decision: 'accepted' }, { held_decided_at: now }],
  import_runs_held_decision: [{ held_decision: 'maybe', held_decided_at: now }],
  import_runs_held_finished: [{ held_decision: 'accepted', held_decided_at: now, held: 0 }],
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
  last_backup_one: [{ one: false }],
  listing_counts_list: [{ list: 'region' }],
  mail_notices_one_row: [{ only_one: false }],
  notes_body_length: [{ body: '' }, { body: 'x'.repeat(2_001) }],
  notes_kind: [{ kind: 'alerte' }],
  export_links_digest: [{ token_hash: bytes(31) }],
  export_links_language: [{ language: 'de' }],
  export_links_lengths: [{ list: '' }, { list: 'x'.repeat(201) }, { query: 'x'.repeat(2_001) }],
  oidc_id_tokens_size: [{ id_token: bytes(8_193) }],
  passkeys_label: [{ label: '' }, { label: 'x'.repeat(101) }],
  payment_events_ended: [{ status: 'received', ended_at: now }, { status: 'processed' }],
  payment_events_failed_why: [{ status: 'failed' }],
  payment_events_fields_object: [{ fields: [] }],
  payment_events_status: [{ status: 'lost' }],
  person_exports_error: [{ error: 'lost' }],
  person_exports_failed: [{ status: 'failed' }, { status: 'ready', error: 'failed' }],
  person_exports_fetched: [{ status: 'fetched' }, { status: 'ready', fetched_at: now }],
  person_exports_progress: [
    { sections: 2, sections_done: 3 },
    { sections: 2, sections_done: -1 },
  ],
  person_exports_ready: [
    { status: 'ready' },
    { status: 'ready', ready_at: now },
    { status: 'queued', ready_at: now, bytes: 1 },
    { status: 'queued', bytes: 1 },
  ],
  person_exports_status: [{ status: 'lost' }],
  presence_kind: [{ kind: 'alerte' }],
  publication_changes_scheduled_new: [{ is_scheduled: true, communes_before: [] }],
  publication_counts_list: [{ list: 'region' }],
  publication_reports_category: [{ category: 'boring' }],
  publication_mails_email_status: [{ email_status: 'lost' }],
  publication_mails_kind: [{ kind: 'spam' }],
  publication_versions_how: [{ how: 'guessed' }],
  publications_dates_order: [{ date_debut: '2026-05-04', date_fin: '2026-05-03' }],
  publications_duplicate_key_form: [{ duplicate_key: `x:${'0'.repeat(32)}` }, { duplicate_key: 'u:0' }],
  publications_featured_whole: [{ en_avant: false, featured_until: now }],
  publications_heure_debut_day: [{ heure_debut: '20:30' }],
  publications_heure_fin_start: [{ heure_fin: '22:30' }],
  publications_heures_minutes: [
    { heure_debut: '20:30:01' },
    { heure_fin: '20:30:01' },
    { heure_debut: '24:00' },
    { heure_fin: '24:00' },
  ],
  publications_heures_order: [
    { date_debut: '2026-05-04', heure_debut: '20:30', heure_fin: '20:30' },
    { date_debut: '2026-05-04', date_fin: '2026-05-04', heure_debut: '20:30', heure_fin: '02:00' },
  ],
  publications_published_time: [{ moderation_status: 'published' }],
  publications_status: [{ moderation_status: 'hidden' }],
  publications_title_length: [{ title: '' }, { title: 'x'.repeat(201) }],
  publications_valid_status: ['pending', 'rejected'].map((moderation_status) => ({
    valide: true,
    moderation_status,
  })),
  rate_limits_key_hashed: [{ key: '192.0.2.1' }, { key: `create:${'x'.repeat(21)}` }],
  reply_templates_body_length: [{ body: '' }, { body: 'x'.repeat(5_001) }],
  reply_templates_kind: [{ kind: 'mail' }],
  reply_templates_name_length: [{ name: '' }, { name: 'x'.repeat(101) }],
  saved_views_lengths: [
    { list: '', name: 'x', query: '' },
    { list: 'x', name: '', query: '' },
  ],
  saved_views_role: [{ role: 'owner' }],
  recovery_codes_digest: [{ code_hash: bytes(20) }],
  sessions_digests: [
    { token_hash: bytes(31) },
    { token_hash: bytes(32), former_hash: bytes(33) },
    { token_hash: bytes(32), device_hash: bytes(1) },
  ],
  sessions_former: [{ former_hash: bytes(32) }, { former_until: now }],
  sessions_method: [{ method: 'password' }],
  sessions_texts: [{ network: 'x'.repeat(101) }, { browser: 'x'.repeat(101) }],
  subscriptions_acteur_as_set: [{ acteur_set: id, acteur_id: other }],
  subscriptions_checkout_from: [{ checkout_at: now }, { checkout_at: now, checkout_rank: 1 }],
  subscriptions_status: [{ status: 'gold' }],
  subscriptions_status_from: [{ status: 'active' }, { status: 'active', status_at: now, status_rank: 1 }],
  support_drafts_body_length: [{ body: '' }, { body: 'x'.repeat(10_001) }],
  support_messages_body_length: [{ body: '' }, { body: 'x'.repeat(10_001) }],
  support_messages_direction: [{ direction: 'sideways' }],
  support_messages_email_status: [{ email_status: 'lost' }],
  support_messages_email_status_dated: [{ email_status: 'sent' }, { email_status_at: now }],
  support_messages_mailed: [{ direction: 'outbound' }, { direction: 'inbound', email_status: 'sent' }],
  support_threads_closed: [{ status: 'closed' }, { status: 'open', closed_at: now }],
  support_threads_flag: [{ flag: 'pink' }],
  support_threads_has_messages: [{ messages_count: 0 }],
  support_threads_status: [{ status: 'lost' }],
  totp_factors_confirmed: [{ secret: bytes(1) }, { confirmed_at: now }],
  used_oidc_states_digest: [{ state_hash: bytes(31) }],
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
  users_langue: [{ langue: 'de' }],
  wal_timeline_is_only: [{ is_only: false }],
}

const { rows: checks } = (await run(
  superuser,
  `select conname as name, conrelid::regclass::text as table, pg_get_expr(conbin, conrelid) as expression
  from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace order by conname`,
)) as { rows: Check[] }

test('each check constraint has a test that violates it', () => {
  expect(checks.map(({ name }) => name)).toEqual(Object.keys(breaches).sort())
})

test.each(checks)('$name refuses invalid rows', async ({ name, table, expression }) => {
  const rows = JSON.stringify(breaches[name] ?? []).replaceAll("'", "''")
  const made = `jsonb_populate_recordset(null::${table}, '${rows}'::jsonb)`
  const { rows: answers } = await run(superuser, `select (${expression}) as holds from ${made}`)
  expect(answers).toEqual((breaches[name] ?? ['none']).map(() => ({ holds: false })))
})
