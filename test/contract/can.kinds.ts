import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { type RawBuilder, sql } from 'kysely'
import { newReference } from '../../src/modules/claims/reference.ts'
import { insertDefibrillateur } from '../../src/modules/defibrillateurs/defibrillateurs.test-kit.ts'
import { keyOfTerm } from '../../src/modules/reference/search-topics.ts'
import { putTotp } from '../../src/modules/sign-in/sign-in.test-kit.ts'
import { uuidv7 } from '../../src/platform/formats/uuid.ts'
import { publishText } from '../support/name-server.ts'
import { openSession } from '../support/sessions.ts'
import type { World } from '../support/world.ts'

export type Caller = { name: string; id: string; email: string; client: Awaited<ReturnType<World['as']>> }

/** A request for an action. An action may have several: if `can` names it, at least one changes something. */
export type Attempt = {
  route: string
  body?: (id: string) => object | Promise<object>
  /** If the path has the id of another record too. */
  path?: (id: string) => string
}

/** Records of one kind, in every state that affects its actions. */
export type Kind = {
  /** Titles of its schemas that have `can`. */
  titles: string[]
  /** Paths where callers read it: alone or in a list. */
  at: ((id: string, caller: Caller) => string)[]
  /** Each creates a record, which may belong to the caller. */
  states: Record<string, (caller: Caller) => Promise<string>>
  actions: Record<string, Attempt[]>
  /** Selects what its actions change. */
  stored: (id: string) => RawBuilder<unknown>
}

const to = (route: string, ...bodies: object[]): Attempt[] =>
  bodies.length === 0 ? [{ route }] : bodies.map((body) => ({ route, body: () => body }))
const row = (table: string) => (id: string) => sql`select t.* from ${sql.table(table)} t where t.id = ${id}`

const twinOf = (id: string) => `https://twin.example/${id}`

let counter = 0

/** The kinds of records that responses of the back-office show with `can`. */
export async function kindsOf({ db, acteur, commune, user, as }: World): Promise<Record<string, Kind>> {
  const club = await acteur({ valide: true, commune_id: (await commune()).id })
  const officer = await as('admin')
  const colleague = await user({ roles: ['moderator'] })
  const { id: officerId } = await user({ roles: ['support'] })
  const writer = await user()
  await db.updateTable('users').set({ email_verified: true }).where('id', '=', writer.id).execute()
  const insert = async (table: Parameters<typeof db.insertInto>[0], values: object): Promise<string> => {
    const id = uuidv7()
    await sql`
      insert into ${sql.table(table)} (${sql.join(['id', ...Object.keys(values)].map((name) => sql.ref(name)))})
      values (${sql.join([id, ...Object.values(values)])})`.execute(db)
    return id
  }
  const verified_at = new Date('2026-11-01T10:00:00Z')
  const domain = async (values: object) => {
    const [host, token] = [`ville-${++counter}.test`, 'a'.repeat(43)]
    publishText(`_parvis.${host}`, token)
    return insert('domains', { host, token, commune_id: (await commune()).id, ...values })
  }
  const publication = (values: object = {}) =>
    insert('publications', {
      slug: `fete-${++counter}`,
      title: 'Fête de la pomme',
      body: '<p>Pressage.</p>',
      acteur_id: club.id,
      duplicate_key: `s:${randomBytes(16).toString('hex')}`,
      ...values,
    })
  const document = () =>
    insert('media', {
      ...{ kind: 'document', acteur_id: club.id, nom: 'Affiche', bytes: 1 },
      sha256: randomBytes(32).toString('hex'),
    })
  const complaint = async (values: object = {}) => {
    const record_id = await publication({ valide: false })
    const statement = {
      entity: 'publication',
      record_id,
      title: 'Fête',
      restriction: 'hidden',
      ground: JSON.stringify({ code: 'autre', label: 'Autre', text: 'Non.', kind: 'rule', reference: null }),
      before: '{}',
    }
    const statement_id = await insert('statements', { ...statement, decided_by: officerId })
    const about = { statement_id, record_id, title: 'Fête', user_id: writer.id, decider_id: officerId }
    return insert('complaints', { ...about, text: 'Je ne suis pas d’accord.', ...values })
  }
  const past = '2026-01-01T08:00:00Z'
  const shown = { moderation_status: 'published', valide: true, publie_le: past }
  const claim = async (values: object = {}, type: 'association' | 'mairie' = 'association') =>
    insert('claims', {
      acteur_id: (await acteur({ type })).id,
      message: 'Je préside le club.',
      telephone: '01 99 00 12 34',
      ...values,
    })
  const now = new Date()
  const asked = { asked_at: now, waits_until: new Date(now.getTime() + 86_400_000) }
  const ended = { ended_at: past, decided_by: colleague.id }
  const source = (values: object = {}) =>
    insert('import_sources', { nom: 'Agenda', type: 'rss', url: 'https://agenda.example/rss', ...values })
  const run = (source_id: string, values: object) =>
    insert('import_runs', { source_id, dry_run: false, ...values })
  const heldCounts = { fetched: 60, created: 60, held: 60 }
  const thread = (values: object = {}) =>
    insert('support_threads', {
      subject: 'Bac',
      email: 'odile@example.org',
      last_message_at: past,
      said: '',
      ...values,
    })
  const reply = (email_status: string) => ({ direction: 'outbound', email_status, email_status_at: past })
  const threadsOfMessages = new Map<string, string>()
  const message = async (values: object) => {
    const thread_id = await thread({ messages_count: 2 })
    const same = { thread_id, body: 'Bonjour', message_id: '<x@y>' }
    await insert('support_messages', { ...same, direction: 'inbound', created_at: past })
    const id = await insert('support_messages', { ...same, ...values })
    threadsOfMessages.set(id, thread_id)
    return id
  }
  const note = async (client: Caller['client']) => {
    const body = { kind: 'publication', id: await publication(), body: 'À vérifier.' }
    return (await client.post('/admin/notes', body)).body.data.id as string
  }
  const decision = async (client: Caller['client']) => {
    const path = `/admin/publications/${await publication()}/moderate`
    return (await client.patch(path, { moderation_status: 'published' })).body.data.decision_id as string
  }
  const others = { id: colleague.id, client: await as('moderator') }
  const decides = (caller: Caller) => (caller.name === 'support' ? others.client : caller.client)
  const personExport = async (values: object) => {
    const person = { user_ids: sql`'{}'::uuid[]`, emails: sql`'{odile@example.org}'::text[]` }
    const export_id = await insert('person_exports', {
      ...{ ...person, requested_by: colleague.id, sections: 1 },
      ...values,
    })
    const content = gzipSync('{}')
    await db.insertInto('person_export_chunks').values({ export_id, number: 0, content }).execute()
    return export_id
  }
  const view = (user_id: string, role: string | null = null) =>
    insert('saved_views', { user_id, list: 'publications', name: crypto.randomUUID(), query: '', role })
  const usersOfSessions = new Map<string, string>()
  const device = async (userId: string) => {
    const { id } = await openSession(db, userId)
    usersOfSessions.set(id, userId)
    return id
  }
  const defibrillateur = (level: 'commune' | 'france', list: (id: string) => string): Kind => ({
    titles: ['ManagedDefibrillateur'],
    at: [list],
    states: { shown: async () => (await insertDefibrillateur(db, { code_insee: place.code_insee })).id },
    actions: {
      edit: to(
        level === 'commune'
          ? 'PATCH /admin/defibrillateurs/{id}'
          : 'PATCH /admin/defibrillateurs-france/{id}',
        {
          statut_admin: 'masque',
        },
      ),
    },
    stored: row('defibrillateurs'),
  })
  const place = await commune()

  return {
    publication: {
      titles: [
        'ListedPublication',
        'ReportedPublication',
        'DecidedPublication',
        'CorrectedPublication',
        'SimilarPublication',
      ],
      at: [(id) => `/admin/publications/${id}`, (id) => `/admin/publications?deleted=true&ids=${id}`],
      states: {
        pending: () => publication(),
        scheduled: () =>
          publication({ moderation_status: 'approved', valide: true, publie_le: '2126-01-01T08:00:00Z' }),
        published: () => publication(shown),
        'switched off': () => publication({ ...shown, valide: false }),
        featured: () => publication({ ...shown, en_avant: true }),
        rejected: () => publication({ moderation_status: 'rejected', moderation_reason: 'Hors sujet' }),
        reported: async () => {
          const id = await publication(shown)
          await report(id)
          return id
        },
        deleted: () => publication({ ...shown, deleted_at: past }),
        'reported and deleted': async () => {
          const id = await publication({ ...shown, deleted_at: past })
          await report(id)
          return id
        },
      },
      actions: {
        edit: to('PATCH /admin/publications/{id}', { title: 'Fête de la poire' }),
        moderate: to(
          'PATCH /admin/publications/{id}/moderate',
          { moderation_status: 'published' },
          { moderation_status: 'rejected' },
        ),
        valide: to('PATCH /admin/publications/{id}/valide'),
        feature: to('PATCH /admin/publications/{id}/feature', { en_avant: true }, { en_avant: false }),
        keep: [
          {
            route: 'POST /admin/publications/{id}/keep',
            body: async (id) => ({ reject: [await publication({ source_url: twinOf(id) })] }),
          },
        ],
        close: to('POST /admin/publications/{id}/reports/close'),
        delete: to('DELETE /admin/publications/{id}'),
        restore: to('PATCH /admin/publications/{id}/restore'),
      },
      stored: (id) => sql`
        select p.*, (select count(*) from publication_reports r where r.publication_id = p.id and closed_at is null) as open,
          (select count(*) from publications where source_url = ${twinOf(id)} and moderation_status = 'rejected') as twins
        from publications p where p.id = ${id}`,
    },
    claim: {
      titles: ['Claim', 'ClaimRead', 'DecidedClaim'],
      at: [(id) => `/admin/claims/${id}`, (id) => `/admin/claims?ids=${id}`],
      states: {
        pending: () => claim(),
        'pending on a mairie': () => claim({ email: 'odile@example.org' }, 'mairie'),
        'pending from an account': () => claim({ user_id: colleague.id }),
        'pending, and asked': () => claim({ email: 'odile@example.org', ...asked, questions_count: 1 }),
        'pending, and asked ten times': () =>
          claim({ email: 'odile@example.org', ...asked, questions_count: 10 }),
        'pending after the wait': () =>
          claim({ email: 'odile@example.org', ...asked, waits_until: now, questions_count: 1 }),
        'pending from the caller': ({ id }) => claim({ user_id: id }),
        "pending from the caller's address": ({ email }) => claim({ email: email.toUpperCase() }),
        'pending without contact': () => claim({ telephone: null, reference: newReference() }),
        overdue: () => claim({ created_at: past }),
        approved: () => claim({ status: 'approved', user_id: colleague.id, ...ended }),
        rejected: () => claim({ status: 'rejected', ...ended }),
        expired: () => claim({ status: 'expired', ended_at: past }),
      },
      actions: {
        edit: to('PATCH /admin/claims/{id}', { status: 'rejected' }, { status: 'approved' }),
        question: to('POST /admin/claims/{id}/question', { body: 'Qui préside le club ?' }),
        resume: to('POST /admin/claims/{id}/resume'),
      },
      stored: row('claims'),
    },
    acteur: {
      titles: ['Acteur', 'ActeurRead'],
      at: [(id) => `/admin/acteurs/${id}`, (id) => `/admin/acteurs?deleted=true&ids=${id}`],
      states: {
        new: async () => (await acteur()).id,
        validated: async () => (await acteur({ valide: true, can_publish: true, badge: 'Partenaire' })).id,
        inactive: async () => (await acteur({ active: false })).id,
        deleted: async () => (await acteur({ deleted_at: past })).id,
      },
      actions: {
        edit: to('PATCH /admin/acteurs/{id}', { description: 'Ouvert à tous.' }),
        validate: to('PATCH /admin/acteurs/{id}/validate', { valide: true }, { valide: false }),
        badge: to('PATCH /admin/acteurs/{id}/badge', { badge: 'Partenaire' }, { badge: null }),
        active: to('PATCH /admin/acteurs/{id}/active', { active: true }, { active: false }),
        'can-publish': to(
          'POST /admin/acteurs/{id}/can-publish',
          { can_publish: true },
          { can_publish: false },
        ),
        merge: [
          { route: 'POST /admin/acteurs/{id}/merge', body: async () => ({ into: (await acteur()).id }) },
        ],
        delete: to('DELETE /admin/acteurs/{id}'),
        restore: to('DELETE /admin/acteurs/{id}/restore'),
      },
      stored: row('acteurs'),
    },
    user: {
      titles: ['User', 'UserRead'],
      at: [(id) => `/admin/users/${id}`, (id) => `/admin/users?ids=${id}`],
      states: {
        new: async () => (await user()).id,
        'signed in': async () => {
          const { id } = await user()
          await openSession(db, id)
          return id
        },
        'with a second factor': async () => {
          const { id } = await user({ roles: ['support'] })
          await putTotp(db, id)
          return id
        },
        'disabled, with a second factor': async () => {
          const { id } = await user({ actif: false })
          await putTotp(db, id)
          return id
        },
      },
      actions: {
        edit: to('PATCH /admin/users/{userId}', { nom: 'Zoé Lambert' }),
        roles: [
          ...to('DELETE /admin/users/{userId}/roles/{role}'),
          ...to('POST /admin/users/{userId}/roles', { role: 'support' }),
        ],
        sessions: to('DELETE /admin/users/{userId}/sessions'),
        reset: to('POST /admin/users/{userId}/factors/reset'),
      },
      stored: (id) => sql`
        select u.*, array(select role from user_roles where user_id = u.id order by role) as roles,
          (select count(*) from sessions where user_id = u.id and ended_at is null) as sessions,
          (select count(*) from totp_factors where user_id = u.id) as factors
        from users u where u.id = ${id}`,
    },
    alerte: {
      titles: ['ListedAlerte'],
      at: [(id) => `/admin/alertes/${id}`, (id) => `/admin/alertes?ids=${id}`],
      states: { 'in force': () => alerte(), ended: () => alerte({ fin: past }) },
      actions: {
        edit: to('PATCH /admin/alertes/{id}', { titre: 'Coupure d’eau rue du Puits' }),
        delete: to('DELETE /admin/alertes/{id}'),
      },
      stored: row('alertes'),
    },
    'deleted record': {
      titles: ['DeletedRecord'],
      at: [() => '/admin/alertes/deleted'],
      states: { 'deleted alerte': deletedAlerte },
      actions: {
        restore: [
          { route: 'PATCH /admin/alertes/{id}/restore' },
          {
            route: 'PATCH /admin/communes/{communeId}/deleted/{id}/restore',
            path: (id) => `/admin/communes/${place.id}/deleted/${id}/restore`,
          },
        ],
      },
      stored: row('alertes'),
    },
    thread: {
      titles: ['SupportThread', 'SupportThreadRead'],
      at: [(id) => `/admin/messages/threads/${id}`, (id) => `/admin/messages/threads?ids=${id}`],
      states: {
        new: () => thread(),
        read: () => thread({ unread: false, flag: 'red' }),
        closed: () => thread({ unread: false, status: 'closed', closed_at: past }),
        'without an address': () => thread({ email: null }),
      },
      actions: {
        read: to('PATCH /admin/messages/threads/{id}/read'),
        unread: to('PATCH /admin/messages/threads/{id}/unread'),
        flag: to('PATCH /admin/messages/threads/{id}/flag', { flag: 'red' }, { flag: null }),
        close: to('PATCH /admin/messages/threads/{id}/close', { closed: true }, { closed: false }),
        assignee: to('PUT /admin/messages/threads/{id}/assignee', { user_id: officerId }, { user_id: null }),
        draft: to('PUT /admin/messages/threads/{id}/draft', { body: 'Bonjour' }),
        reply: to('POST /admin/messages/threads/{id}/reply', { body: 'Bonjour, c’est réglé.' }),
      },
      stored: (id) => sql`
        select t.*, (select json_agg(d) from support_drafts d where d.thread_id = t.id) as drafts
        from support_threads t where t.id = ${id}`,
    },
    message: {
      titles: ['SupportMessage'],
      at: [(id) => `/admin/messages/threads/${threadsOfMessages.get(id)}/messages`],
      states: {
        inbound: () => message({ direction: 'inbound' }),
        held: () => message(reply('queued')),
        'being sent': () => message(reply('sending')),
        sent: () => message(reply('sent')),
        failed: () => message(reply('failed')),
        uncertain: () => message(reply('uncertain')),
        'queued again': () => message({ ...reply('queued'), may_have_arrived: true }),
      },
      actions: {
        delete: [
          {
            route: 'DELETE /admin/messages/threads/{threadId}/messages/{id}',
            path: (id) => `/admin/messages/threads/${threadsOfMessages.get(id)}/messages/${id}`,
          },
        ],
      },
      stored: row('support_messages'),
    },
    import_source: {
      titles: ['ImportSource', 'ImportSourceRead'],
      at: [(id) => `/admin/import-sources/${id}`, (id) => `/admin/import-sources?ids=${id}`],
      states: {
        new: () => source(),
        'switched off': () => source({ actif: false }),
        'with publications': async () => {
          const source_id = await source()
          const run_id = await run(source_id, { status: 'succeeded', finished_at: past })
          const item = { source_id, external_id: '1', publication_id: await publication(shown), run_id }
          await db
            .insertInto('import_items')
            .values({ ...item, said: '{}', action: 'created' })
            .execute()
          return source_id
        },
        running: async () => {
          const id = await source()
          await run(id, { status: 'running' })
          return id
        },
        'tried out': async () => {
          const id = await source()
          await run(id, { status: 'running', dry_run: true })
          return id
        },
      },
      actions: {
        edit: to('PATCH /admin/import-sources/{id}', { nom: 'Agenda de la médiathèque' }),
        run: to('POST /admin/import-sources/{id}/run'),
        withdraw: to('POST /admin/import-sources/{id}/withdraw', { since: null }),
        delete: to('DELETE /admin/import-sources/{id}'),
      },
      stored: (id) => sql`
        select s.*, (select count(*) from import_runs where source_id = s.id) as runs,
          (select count(*) from audit_log where entity_id = s.id::text and (after ->> 'publications')::int > 0) as withdrawn
        from import_sources s where s.id = ${id}`,
    },
    import_run: {
      titles: ['ImportRunListed'],
      at: [(id) => `/admin/import-runs?ids=${id}`],
      states: {
        finished: async () => run(await source(), { status: 'succeeded', finished_at: past }),
        running: async () => run(await source(), { status: 'running', ...heldCounts }),
        held: async () => run(await source(), { status: 'succeeded', finished_at: past, ...heldCounts }),
        'tried out': async () =>
          run(await source(), { status: 'succeeded', finished_at: past, ...heldCounts, dry_run: true }),
        decided: async () => {
          const decided = { held_decision: 'refused', held_decided_at: past }
          return run(await source(), { status: 'succeeded', finished_at: past, ...heldCounts, ...decided })
        },
      },
      actions: {
        accept: to('POST /admin/import-runs/{id}/accept'),
        refuse: to('POST /admin/import-runs/{id}/refuse', { reason: 'Flux piraté' }),
      },
      stored: row('import_runs'),
    },
    subscription: {
      titles: ['Subscription', 'SubscriptionRead'],
      at: [(id) => `/admin/subscriptions/${id}`, (id) => `/admin/subscriptions?ids=${id}`],
      states: {
        active: () => subscription('active'),
        canceled: () => subscription('canceled'),
      },
      actions: { edit: to('PATCH /admin/subscriptions/{id}', { acteur_id: club.id }) },
      stored: row('subscriptions'),
    },
    'payment event': {
      titles: ['RecordedPaymentEvent'],
      at: [(id) => `/admin/payment-events?ids=${id}`],
      states: {
        failed: () => paymentEvent({ status: 'failed', error: 'refused', ended_at: past, fields: '{}' }),
        settled: () =>
          paymentEvent({
            status: 'failed',
            error: 'refused',
            ended_at: past,
            settled_at: past,
            fields: '{}',
          }),
        cleared: () => paymentEvent({ status: 'failed', error: 'refused', ended_at: past }),
        queued: () => paymentEvent({ fields: '{}' }),
        processed: () => paymentEvent({ status: 'processed', ended_at: past, fields: '{}' }),
        ignored: () => paymentEvent({ status: 'ignored', ended_at: past, fields: '{}' }),
      },
      actions: {
        replay: to('POST /admin/payment-events/{event_id}/replay'),
        settle: to('POST /admin/payment-events/{event_id}/settle', { reason: 'Vu' }),
      },
      stored: (id) => sql`select status, settled_at from payment_events where id = ${id}`,
    },
    commune: {
      titles: ['ManagedCommune', 'CommuneFull', 'CommuneRead'],
      at: [(id) => `/admin/communes/${id}/full`, (id) => `/admin/communes?ids=${id}`],
      states: { new: async () => (await commune()).id },
      actions: {
        edit: to('PATCH /admin/communes/{id}', { population: 512 }),
        mairie: to('POST /admin/communes/{id}/mairie', { email: 'mairie@example.org' }),
      },
      stored: row('communes'),
    },
    'defibrillateur of France': defibrillateur('france', (id) => `/admin/defibrillateurs-france?ids=${id}`),
    'defibrillateur of a commune': defibrillateur(
      'commune',
      (id) => `/admin/communes/${place.id}/defibrillateurs?ids=${id}`,
    ),
    'export of a person': {
      titles: ['PersonExport'],
      at: [(id) => `/admin/people/exports/${id}`, () => '/admin/people/exports'],
      states: {
        queued: () => personExport({}),
        ready: () => personExport({ status: 'ready', ready_at: now, bytes: 2 }),
        fetched: () => personExport({ status: 'fetched', ready_at: now, fetched_at: now, bytes: 2 }),
        failed: () => personExport({ status: 'failed', error: 'failed' }),
      },
      actions: { download: to('POST /admin/people/exports/{id}/download') },
      stored: row('person_exports'),
    },
    template: {
      titles: ['Template'],
      at: [(id) => `/admin/templates/${id}`, () => '/admin/templates?kind=reply'],
      states: {
        new: () => insert('reply_templates', { kind: 'reply', name: `Modèle ${++counter}`, body: 'Bonjour' }),
      },
      actions: {
        edit: to('PATCH /admin/templates/{id}', { body: 'Bonsoir' }),
        delete: to('DELETE /admin/templates/{id}'),
      },
      stored: row('reply_templates'),
    },
    ground: {
      titles: ['Ground'],
      at: [(id) => `/admin/grounds/${id}`, () => '/admin/grounds'],
      states: {
        new: () =>
          insert('grounds', { code: `bruit-${++counter}`, label: 'Bruit', text: 'Trop.', kind: 'rule' }),
      },
      actions: {
        edit: to('PATCH /admin/grounds/{id}', { text: 'Trop de bruit.' }),
        delete: to('DELETE /admin/grounds/{id}'),
      },
      stored: row('grounds'),
    },
    group: {
      titles: ['ManagedGroup', 'ManagedGroupFull'],
      at: [(id) => `/admin/groups/${id}`, (id) => `/admin/groups?ids=${id}`],
      states: {
        new: () => insert('groups', { slug: `groupe-${++counter}`, nom: 'Groupe', kind: 'autre' }),
      },
      actions: {
        edit: to('PATCH /admin/groups/{id}', { nom: 'Autre groupe' }),
        delete: to('DELETE /admin/groups/{id}'),
      },
      stored: row('groups'),
    },
    domain: {
      titles: ['Domain'],
      at: [(id) => `/admin/domains/${id}`, (id) => `/admin/domains?ids=${id}`],
      states: {
        new: () => domain({}),
        proven: () => domain({ verified_at }),
        primary: () => domain({ verified_at, is_primary: true }),
      },
      actions: {
        edit: [{ route: 'PATCH /admin/domains/{id}', body: () => ({ host: `autre-${++counter}.test` }) }],
        verify: to('POST /admin/domains/{id}/verify'),
        primary: to('POST /admin/domains/{id}/primary'),
        delete: to('DELETE /admin/domains/{id}'),
      },
      stored: row('domains'),
    },
    complaint: {
      titles: ['Complaint', 'ComplaintRead'],
      at: [(id) => `/admin/complaints/${id}`, () => '/admin/complaints?sort=created_at_desc'],
      states: {
        open: () => complaint(),
        'about their own decision': ({ id }) => complaint({ decider_id: id }),
        'their own': ({ id }) => complaint({ user_id: id }),
        decided: () =>
          complaint({
            ...{ decision: 'upheld', answer: 'Non.', decided_as: 'colleague', decided_by: colleague.id },
            decided_at: now,
          }),
      },
      actions: {
        edit: to('PATCH /admin/complaints/{id}', { decision: 'upheld', answer: 'La règle est la même.' }),
      },
      stored: row('complaints'),
    },
    'publication type': {
      titles: ['AdminPublicationType'],
      at: [(id) => `/admin/publication-types/${id}`, () => '/admin/publication-types'],
      states: {
        new: () =>
          insert('publication_types', { slug: `atelier-${++counter}`, libelle: 'Atelier', position: 90 }),
      },
      actions: { edit: to('PATCH /admin/publication-types/{id}', { libelle: 'Stage' }) },
      stored: row('publication_types'),
    },
    'search term': {
      titles: ['SearchTerm'],
      at: [(id) => `/admin/search-terms/${id}`, () => '/admin/search-terms'],
      states: {
        new: () => {
          const term = `bac numéro ${++counter}`
          return insert('search_terms', { term, key: keyOfTerm(term), topic: 'collectes' })
        },
      },
      actions: {
        edit: to('PATCH /admin/search-terms/{id}', { topic: 'mairie' }),
        delete: to('DELETE /admin/search-terms/{id}'),
      },
      stored: row('search_terms'),
    },
    application: {
      titles: ['AppSource'],
      at: [(code) => `/admin/app-sources/${code}`],
      states: {
        new: async () => {
          const code = `site-${++counter}`
          await db.insertInto('app_sources').values({ code, label: 'Site' }).execute()
          return code
        },
      },
      actions: { edit: to('PATCH /admin/app-sources/{code}', { label: 'Site de Chambéry' }) },
      stored: (code) => sql`select t.* from app_sources t where t.code = ${code}`,
    },
    note: {
      titles: ['Note'],
      at: [(id) => `/admin/notes/${id}`],
      states: {
        own: (caller) => note(decides(caller)),
        "a colleague's": () => note(officer),
      },
      actions: { delete: to('DELETE /admin/notes/{id}') },
      stored: row('notes'),
    },
    decision: {
      titles: ['Decision'],
      at: [(_id, { name }) => `/admin/decisions${name.endsWith('admin') ? '?all=true' : ''}`],
      states: {
        own: (caller) => decision(decides(caller)),
        "a colleague's": () => decision(others.client),
        undone: async (caller) => {
          const id = await decision(decides(caller))
          await decides(caller).post(`/admin/decisions/${id}/undo`)
          return id
        },
        expired: async (caller) => {
          const id = await decision(decides(caller))
          await sql`update decisions set decided_at = decided_at - interval '1 hour' where id = ${id}`.execute(
            db,
          )
          return id
        },
      },
      actions: { undo: to('POST /admin/decisions/{id}/undo') },
      stored: row('decisions'),
    },
    mail: {
      titles: ['ListedMail'],
      at: [(id) => `/admin/mails?ids=${id}`],
      states: {
        failed: () => mail({ email_status: 'failed' }),
        uncertain: () => mail({ email_status: 'uncertain' }),
        settled: () => mail({ email_status: 'uncertain', email_settled_at: past }),
        sent: () => mail({ email_status: 'sent' }),
        queued: () => mail({ email_status: 'queued' }),
        'failed, and no longer needed': () => mail({ email_status: 'failed' }, 'pending'),
      },
      actions: {
        resend: to('POST /admin/mails/{id}/resend'),
        settle: to('POST /admin/mails/{id}/settle', { reason: 'Vu' }),
      },
      stored: row('publication_mails'),
    },
    view: {
      titles: ['SavedView'],
      at: [() => '/me/views'],
      states: {
        own: ({ id }) => view(id),
        shared: ({ name }) => view(colleague.id, name),
      },
      actions: { delete: to('DELETE /me/views/{id}') },
      stored: row('saved_views'),
    },
    media: {
      titles: ['Media'],
      at: [(id) => `/media/${id}`, () => `/media?acteur_id=${club.id}&per_page=100`],
      states: {
        unused: document,
        published: async () => {
          const id = await document()
          await publication({ ...shown, documents: [id] })
          return id
        },
      },
      actions: {
        edit: to('PATCH /media/{id}', { nom: 'Affiche du bal' }),
        delete: to('DELETE /media/{id}'),
      },
      stored: row('media'),
    },
    device: {
      titles: ['Device'],
      at: [
        (id, caller) =>
          usersOfSessions.get(id) === caller.id
            ? '/me/sessions'
            : `/admin/users/${usersOfSessions.get(id)}/sessions`,
      ],
      states: {
        own: ({ id }) => device(id),
        "a colleague's": async () => device((await user()).id),
      },
      actions: { delete: to('DELETE /me/sessions/{id}') },
      stored: row('sessions'),
    },
  }

  function report(publication_id: string) {
    return insert('publication_reports', {
      publication_id,
      category: 'spam',
      caller_key: randomBytes(16).toString('hex'),
      day: '2026-11-20',
    })
  }
  async function mail(values: object, moderation_status = 'rejected') {
    const publication_id = await publication({ moderation_status, created_by: writer.id })
    return insert('publication_mails', { publication_id, kind: 'rejected', ...values })
  }
  async function deletedAlerte(): Promise<string> {
    const id = await alerte()
    await officer.delete(`/admin/alertes/${id}`)
    return id
  }
  function alerte(values: object = {}) {
    const texts = { titre: 'Coupure d’eau', message: 'Jeudi matin.', niveau: 'info' }
    return insert('alertes', { ...texts, commune_id: place.id, ...values })
  }
  async function paymentEvent(values: object) {
    const id = `evt_can${++counter}`
    await db
      .insertInto('payment_events')
      .values({ id, type: 'invoice.paid', ...values })
      .execute()
    return id
  }
  function subscription(status: string) {
    const from = { status_at: past, status_rank: 1, status_by: 'evt_1' }
    return insert('subscriptions', { provider_subscription_id: `sub_${++counter}`, status, ...from })
  }
}
