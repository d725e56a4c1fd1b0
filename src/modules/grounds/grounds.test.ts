import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { explain, gatherStatistics, readWhole, visitedBy, watch } from '../../../test/support/plans.ts'
import { openWorld, run } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { authorMail } from '../publications/notify.mail.ts'
import { authorMails } from '../publications/notify.ts'
import { listOwn } from '../publications/own-statements.ts'
import { auditedValues, insertPublications, restrictedSource } from '../publications/publications.test-kit.ts'
import { groundsKit } from './grounds.test-kit.ts'

const world = await openWorld()
const { as, client, db } = world
const moderator = await as('moderator')
let number = 0
const fresh = () => ({ code: `bruit-${++number}`, label: 'Bruit', text: 'Trop de bruit.', kind: 'rule' })

const { written, statementsOf, mailsOf } = groundsKit(world)

test('GET /admin/grounds returns 200 with a dozen from the start', async () => {
  const { body } = await moderator.get('/admin/grounds')
  const codes = body.data.map(({ code }: { code: string }) => code)
  expect(codes.slice(0, 13)).toContain('hors-sujet')
  expect(codes.slice(0, 13).at(-1)).toBe('autre')
  const autre = body.data.find(({ code }: { code: string }) => code === 'autre')
  expect(autre.can).toEqual(['edit'])
  // True also of a decision that gives no reason.
  expect(autre.text).toBe('Le contenu enfreint les règles du site.')
})

test('GET /grounds returns 200 with the active grounds, rules first, and 304 on a match', async () => {
  const read = async () => {
    const { status, body } = await world.get('/grounds')
    expect(status).toBe(200)
    return body.data as { code: string; kind: string }[]
  }
  const { id, code } = (await moderator.post('/admin/grounds', { ...fresh(), kind: 'law' })).body.data
  const [first, ...others] = await read()
  expect(first).toEqual({
    code: 'spam',
    label: expect.any(String),
    text: expect.any(String),
    kind: 'rule',
    reference: null,
  })
  expect(others.at(-1)).toMatchObject({ code, kind: 'law' })
  const etag = (await world.get('/grounds')).headers.get('etag') ?? ''
  expect((await world.get('/grounds', { headers: { 'if-none-match': etag } })).status).toBe(304)
  await moderator.patch(`/admin/grounds/${id}`, { active: false })
  expect((await read()).map((ground) => ground.code)).not.toContain(code)
})

test('POST /admin/grounds returns 409 for a taken code and 422 for an invalid body', async () => {
  const body = fresh()
  expect((await moderator.post('/admin/grounds', body)).status).toBe(201)
  expect(await moderator.post('/admin/grounds', body)).toBeError(409, 'conflict')
  for (const wrong of [{ code: 'Bruit' }, { kind: 'custom' }, { text: '' }, { label: ' ' }, { other: 1 }])
    expect(await moderator.post('/admin/grounds', { ...fresh(), ...wrong })).toBeError(
      422,
      'validation_failed',
    )
  expect(await (await as('support')).get('/admin/grounds')).toBeError(403, 'admin_required')
})

test('PATCH and DELETE /admin/grounds/{id} return 404, 412, 422, and 409 for the ground that stays', async () => {
  const { id } = (await moderator.post('/admin/grounds', fresh())).body.data
  const at = `/admin/grounds/${id}`
  expect((await moderator.patch(at, { active: false })).body.data).toMatchObject({
    active: false,
    version: 2,
  })
  const old = { headers: { 'if-match': '"1"' } }
  expect(await moderator.patch(at, { label: 'Cris' }, old)).toBeError(412, 'precondition_failed')
  expect(await moderator.delete(at, old)).toBeError(412, 'precondition_failed')
  expect(await moderator.patch(at, {})).toBeError(422, 'validation_failed')
  expect((await moderator.delete(at)).status).toBe(200)
  for (const answer of [
    await moderator.get(at),
    await moderator.patch(at, { label: 'x' }),
    await moderator.delete(at),
  ])
    expect(answer).toBeError(404, 'not_found')
  const { data } = (await moderator.get('/admin/grounds')).body
  const autre = `/admin/grounds/${data.find(({ code }: { code: string }) => code === 'autre').id}`
  expect(await moderator.patch(autre, { active: false })).toBeError(409, 'conflict')
  expect(await moderator.delete(autre)).toBeError(409, 'conflict')
})

test('a decision without a ground takes `autre`; one with a ground that is not active returns 422', async () => {
  const one = await written()
  const reject = { moderation_status: 'rejected' }
  for (const ground of ['rien', 'Hors sujet'])
    expect(await moderator.patch(`${one.at}/moderate`, { ...reject, ground })).toBeError(
      422,
      'validation_failed',
    )
  expect(await statementsOf(one.id)).toEqual([])
  expect((await moderator.patch(`${one.at}/moderate`, reject)).status).toBe(200)
  expect(await statementsOf(one.id)).toMatchObject([{ restriction: 'rejected', ground: { code: 'autre' } }])
})

test('every decision that takes something has a statement with its ground, and mails to author and owners', async () => {
  const why = { ground: 'hors-sujet', reason: 'La fête est à Nantes.' }
  const query = `ground=hors-sujet&reason=${encodeURIComponent(why.reason)}`
  const deciding = {
    rejected: (at: string) => moderator.patch(`${at}/moderate`, { moderation_status: 'rejected', ...why }),
    hidden: (at: string) => moderator.patch(`${at}/valide`, { valide: false, ...why }),
    unfeatured: (at: string) => moderator.patch(`${at}/feature`, { en_avant: false, ...why }),
    deleted: (at: string) => moderator.delete(`${at}?${query}`),
  }
  for (const [restriction, decide] of Object.entries(deciding)) {
    const one = await written({ en_avant: true })
    expect((await decide(one.at)).status, restriction).toBe(200)
    expect(await statementsOf(one.id)).toMatchObject([
      {
        restriction,
        reason: why.reason,
        by_report: false,
        by_machine: false,
        ground: { code: 'hors-sujet' },
      },
    ])
    const mails = await mailsOf(one.id)
    expect(new Set(mails.map(({ user_id }) => user_id))).toEqual(new Set([one.owner.id, one.editor.id]))
    for (const mail of mails) {
      const found = (await authorMails.find(db, mail.id)) ?? expect.fail('no mail')
      const { text } = authorMail(found, found.address, {
        from: 'a@b.example',
        pageOf: () => null,
        objectionTo: () => null,
      })
      for (const said of [why.reason, 'Hors sujet', 'Aucun signalement', 'Une personne a décidé'])
        expect(text, restriction).toContain(said)
    }
  }
})

test('bulk decisions give one ground to all', async () => {
  const both = [await written({ en_avant: true }), await written({ en_avant: true })]
  const ids = both.map(({ id }) => id)
  const why = { ground: 'spam', reason: 'Publicité' }
  await moderator.patch('/admin/publications/bulk/feature', { ids, en_avant: false, ...why })
  await moderator.patch('/admin/publications/bulk/moderate', { ids, moderation_status: 'rejected', ...why })
  await moderator.patch('/admin/publications/bulk/delete', { ids, ...why })
  for (const id of ids) {
    const made = await statementsOf(id)
    expect(made.map(({ restriction }) => restriction)).toEqual(['unfeatured', 'rejected', 'deleted'])
    for (const one of made) expect(one).toMatchObject({ ground: { code: 'spam' }, reason: 'Publicité' })
  }
})

test('a statement says that somebody had reported it, and its audit entry has the ground', async () => {
  for (const decide of [
    (at: string) => moderator.patch(`${at}/moderate`, { moderation_status: 'rejected', ground: 'spam' }),
    (at: string) => moderator.delete(`${at}?ground=spam`),
  ]) {
    const one = await written()
    expect((await world.post(`/publications/${one.id}/report`, { category: 'spam' })).status).toBe(201)
    await decide(one.at)
    expect(await statementsOf(one.id)).toMatchObject([{ by_report: true }])
    expect((await auditedValues(world, one.id)).at(-1)?.after).toMatchObject({ ground: 'spam' })
  }
})

test('a statement keeps the text of its ground when the ground changes, and ends by an undo', async () => {
  const one = await written()
  const { id, code } = (await moderator.post('/admin/grounds', fresh())).body.data
  const { body } = await moderator.patch(`${one.at}/moderate`, {
    moderation_status: 'rejected',
    ground: code,
  })
  await moderator.patch(`/admin/grounds/${id}`, { text: 'Autre chose.' })
  expect(await statementsOf(one.id)).toMatchObject([{ ground: { text: 'Trop de bruit.' }, ended_at: null }])
  await moderator.post(`/admin/decisions/${body.data.decision_id}/undo`)
  expect(await statementsOf(one.id)).toMatchObject([{ ended_at: expect.any(Date) }])
  expect(await mailsOf(one.id)).toEqual([])
})

test('an undone decision uncovers the one before, whose mails are sent if they were not', async () => {
  const one = await written()
  await moderator.delete(`${one.at}?ground=spam`)
  const restored = await moderator.patch(`${one.at}/restore`)
  await sql`delete from publication_mails where publication_id = ${one.id}`.execute(db)
  await moderator.post(`/admin/decisions/${restored.body.data.decision_id}/undo`)
  const mails = await mailsOf(one.id)
  expect(mails.map(({ kind }) => kind)).toEqual(['deleted', 'deleted'])
})

test('GET /me/statements returns 200 with what holds, to the author and members alone', async () => {
  const one = await written()
  const read = async (token: string, query = '') =>
    (await client({ token }).get(`/me/statements${query}`)).body.data
  await moderator.patch(`${one.at}/moderate`, {
    moderation_status: 'rejected',
    ground: 'date',
    reason: 'Mardi ?',
  })
  const expected = [{ record_id: one.id, title: one.title, reason: 'Mardi ?', ground: { code: 'date' } }]
  for (const { token } of [one.owner, one.editor]) expect(await read(token)).toMatchObject(expected)
  const stranger = await world.user()
  expect(await read(stranger.token)).toEqual([])
  expect(await read(one.owner.token, `?acteur_id=${one.acteur.id}&record_id=${one.id}`)).toMatchObject(
    expected,
  )
  expect(await read(one.owner.token, `?acteur_id=${uuidv7()}`)).toEqual([])
  expect(await read(one.owner.token, `?record_id=${uuidv7()}`)).toEqual([])
  // Neither who decided nor what an undo restores.
  const [shown] = await read(one.owner.token)
  expect(Object.keys(shown).sort()).toEqual([
    ...['by_machine', 'by_report', 'complain_until', 'complaint', 'decided_at', 'entity', 'ground', 'id'],
    ...['reason', 'record_id', 'restriction', 'title'],
  ])
  expect(await client({ token: one.owner.token }).get('/me/statements?record_id=x')).toBeError(
    422,
    'validation_failed',
  )
  await one.asOwner.patch(`/publications/${one.id}`, { title: 'Fête mardi' })
  expect(await read(one.owner.token)).toEqual([])
})

test('a decision on several sends each recipient one mail, which lists what still holds', async () => {
  const first = await written({ title: 'Bal' })
  const titles = Array.from({ length: 24 }, (_, n) => `Fête ${String(n).padStart(2, '0')}`)
  const others = await insertPublications(
    world,
    titles.map((title) => ({ title, acteur_id: first.acteur.id })),
  )
  const ids = [first.id, ...others.map(({ id }) => id)]
  expect((await world.post(`/publications/${first.id}/report`, { category: 'spam' })).status).toBe(201)
  const why = { ground: 'spam', reason: 'Publicité' }
  const bulk = { ids, moderation_status: 'rejected', ...why }
  const { decision_id } = (await moderator.patch('/admin/publications/bulk/moderate', bulk)).body.meta
  const mails = () =>
    db.selectFrom('publication_mails').selectAll().where('decision_id', '=', decision_id).execute()
  const found = async () => {
    const all = await Promise.all((await mails()).map(({ id }) => authorMails.find(db, id)))
    return all.flatMap((mail) => (mail === null ? [] : [[mail.address, mail.total]])).sort()
  }
  const { owner, editor } = first
  const told = (ofOwner: number, ofEditor: number) =>
    [
      [owner.email, ofOwner],
      [editor.email, ofEditor],
    ]
      .filter(([, total]) => total !== 0)
      .sort()
  expect(await found()).toEqual(told(25, 1))
  const [mail] = (await mails()).filter(({ user_id }) => user_id === owner.id)
  const sent = (await authorMails.find(db, mail?.id ?? '')) ?? expect.fail('no mail')
  const { subject, text } = authorMail(sent, sent.address, {
    from: 'a@b.example',
    pageOf: () => null,
    objectionTo: () => null,
  })
  expect(subject).toBe('25 publications ont été rejetées')
  expect(text).toContain('– « Bal » (signalée)\n– « Fête 00 »\n')
  expect(text).toContain('– « Fête 18 »\nEt 5 autres.\n')
  expect(text.split('Publicité')).toHaveLength(2)
  const shown = await moderator.patch(`${first.at}/moderate`, { moderation_status: 'published' })
  expect(await found()).toEqual(told(24, 0))
  // The author’s, which lists nothing any more, is deleted by its job; the owner’s is still to be sent.
  await db.deleteFrom('publication_mails').where('user_id', '=', editor.id).execute()
  await moderator.post(`/admin/decisions/${shown.body.data.decision_id}/undo`)
  expect(await found()).toEqual(told(25, 1))
  await moderator.post(`/admin/decisions/${decision_id}/undo`)
  expect(await mails()).toEqual([])
})

test('a mail says what an edit leads to, and links to no deleted publication', async () => {
  const hide = (at: string) => moderator.patch(`${at}/valide`, { valide: false })
  const page = 'https://parvis.example/p'
  const textsOf = async (id: string) => {
    const found = (await Promise.all((await mailsOf(id)).map(({ id }) => authorMails.find(db, id)))).flatMap(
      (one) => one ?? [],
    )
    return found.map(
      (one) =>
        authorMail(one, one.address, { from: 'a@b.example', pageOf: () => page, objectionTo: () => null })
          .text,
    )
  }
  for (const [can_publish, said] of [
    [false, 'elle sera alors relue'],
    [true, 'elle reste cachée'],
  ] as const) {
    const one = await written({}, { can_publish })
    await hide(one.at)
    for (const text of await textsOf(one.id)) {
      expect(text).toContain(said)
      expect(text).toContain(page)
    }
    await one.asOwner.patch(`/publications/${one.id}`, { title: 'Fête mardi' })
    const { moderation_status } = await db
      .selectFrom('publications')
      .selectAll()
      .where('id', '=', one.id)
      .executeTakeFirstOrThrow()
    expect(moderation_status).toBe(can_publish ? 'published' : 'pending')
    await moderator.delete(one.at)
    const texts = await textsOf(one.id)
    expect(texts).toHaveLength(2)
    for (const text of texts) expect(text).not.toContain(page)
  }
})

test('GET /me/statements returns what the application shows, and nothing of a deleted acteur', async () => {
  const town = await world.commune()
  const one = await written({ commune_id: town.id, commune_ids: [town.id] })
  await moderator.delete(`${one.at}?ground=spam`)
  const { token } = one.owner
  const read = async (source: string) =>
    (await client({ token, source }).get('/me/statements')).body.data.map(
      ({ record_id }: { record_id: string }) => record_id,
    )
  expect(await read('public')).toEqual([one.id])
  expect(await read(await restrictedSource(world, [town.id]))).toEqual([one.id])
  expect(await read(await restrictedSource(world, [(await world.commune()).id]))).toEqual([])
  await db.updateTable('acteurs').set({ deleted_at: new Date() }).where('id', '=', one.acteur.id).execute()
  expect(await read('public')).toEqual([])
})

test('a statement that an unfeaturing gave is listed until the featuring would have ended', async () => {
  const one = await written({ en_avant: true, featured_until: new Date(Date.now() + 86_400_000) })
  await moderator.patch(`${one.at}/feature`, { en_avant: false })
  const read = async () => (await one.asOwner.get('/me/statements')).body.data.length
  expect(await read()).toBe(1)
  await sql`
    update statements set before = jsonb_set(before, '{featured_until}', '"2020-01-01T00:00:00Z"')
    where record_id = ${one.id}`.execute(db)
  expect(await read()).toBe(0)
})

test("reads one's own statements by indexes", async () => {
  const one = await written()
  await run(
    world.database.owner,
    `insert into publications (id, slug, title, body, duplicate_key, acteur_id)
     select gen_random_uuid(), 'many-' || n, 'x', 'x', 's:' || md5(n::text), case when n % 50 = 0 then '${one.acteur.id}'::uuid end
     from generate_series(1, 5000) n;
     insert into statements (id, record_id, entity, title, restriction, ground, decided_by, before)
     select gen_random_uuid(), id, 'publication', 'x', 'hidden', '{"code": "autre"}', '${one.owner.id}', '{}' from publications where slug like 'many-%'`,
  )
  await gatherStatistics(world.database, ['publications', 'statements', 'acteurs'])
  const { db: watched, statements } = watch(world.pool)
  const memberships = [{ acteurId: one.acteur.id, role: 'owner', permissions: [] }]
  const caller = { user: { id: one.owner.id, roles: [], memberships }, source: null }
  expect(await listOwn(watched, caller as never, {})).toHaveLength(50)
  const [statement = { sql: '', parameters: [] }] = statements
  const steps = await explain(world.pool, statement)
  // Of acteurs there are a handful.
  for (const table of ['publications', 'statements']) expect(readWhole(steps)).not.toContain(table)
  expect(Math.max(...steps.map(visitedBy))).toBeLessThan(500)
})
