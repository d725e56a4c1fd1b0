import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fc, propertyRuns } from '../../../test/support/fast-check.ts'
import { openWorld } from '../../../test/support/world.ts'
import { openAssociation } from '../publications/publications.test-kit.ts'

/*
 * Random histories of two publications: decisions, edits, deletions, reports and undos by several people. The model keeps
 * every state of a publication. An undo is `undone` if every change since the decision was itself undone, and then
 * restores the state before the decision; otherwise it changes nothing. A second undo answers what the first one did.
 */

const world = await openWorld()
const { db, client } = world
const admin = await world.as('admin')
const moderators = [await world.as('moderator'), await world.as('moderator')] as const
const reporters = [await world.as(), await world.as(), await world.as()] as const

type State = Record<string, unknown>
type Report = { id: string; by: number; open: boolean }
type Entry = { before: State; closed: string[] }
type Step = { kind: 'decision'; id: string } | { kind: 'other' }
type Model = {
  id: string
  state: State
  reports: Report[]
  /** Steps taken so far, in order; an undo removes the step of its decision. */
  steps: Step[]
  entries: Map<string, Entry>
}
type Decision = { id: string; by: number; on: Model[]; undone?: Map<string, string> }

const kinds = [
  'publish',
  'reject',
  'approve',
  'schedule',
  'wait',
  'toggle',
  'feature',
  'unfeature',
  'delete',
  'restore',
  'bulk',
  'edit',
  'pin',
  'withdraw',
  'report',
  'report',
  'undo',
  'undo',
  'undo',
] as const
type Kind = (typeof kinds)[number]
const operation = fc.record({
  kind: fc.constantFrom(...kinds),
  which: fc.nat(1),
  who: fc.nat(2),
  /** How many decisions ago the one to undo was made. */
  back: fc.nat(3),
})
type Operation = { kind: Kind; which: number; who: number; back: number }

const fields = sql`title, epingle, moderation_status, moderation_reason, resubmitted, decided_centrally, valide, publie_le,
  en_avant, featured_until, deleted_at`
async function read(id: string): Promise<State> {
  const { rows } = await sql<State>`select ${fields} from publications where id = ${id}`.execute(db)
  return rows[0] ?? {}
}
async function openReportsOf(id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from publication_reports where publication_id = ${id} and closed_at is null order by id`.execute(
    db,
  )
  return rows.map((row) => row.id)
}

test('an undo restores exactly what its decision changed, or is refused after a later change', async () => {
  let undone = 0
  let refused = 0
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 10, maxLength: 30 }), async (history) => {
      const scene = await openScene()
      for (const one of history) await scene.apply(one)
      undone += scene.counts.undone
      refused += scene.counts.changed_since
    }),
    { numRuns: propertyRuns(1 / 4) },
  )
  // Both outcomes occurred.
  expect(Math.min(undone, refused)).toBeGreaterThan(0)
}, 600_000)

async function openScene() {
  const { asOwner, content } = await openAssociation(world)
  const make = async (): Promise<Model> => {
    const { id } = (await asOwner.post('/publications', content)).body.data
    return { id, state: await read(id), reports: [], steps: [], entries: new Map() }
  }
  const models = [await make(), await make()]
  const decisions: Decision[] = []
  const counts = { undone: 0, changed_since: 0 }

  function send(kind: Kind, by: typeof admin, model: Model) {
    const path = `/admin/publications/${model.id}`
    const moderate = (body: object) => by.patch(`${path}/moderate`, body)
    switch (kind) {
      case 'publish':
        return moderate({ moderation_status: 'published' })
      case 'reject':
        return moderate({ moderation_status: 'rejected', reason: `Motif ${Math.random()}` })
      case 'approve':
        return moderate({ moderation_status: 'approved' })
      case 'schedule':
        return moderate({ moderation_status: 'approved', publie_le: '2090-01-01T08:00:00Z' })
      case 'wait':
        return moderate({ moderation_status: 'pending' })
      case 'toggle':
        return by.patch(`${path}/valide`)
      case 'feature':
        return by.patch(`${path}/feature`, { en_avant: true, featured_until: '2090-01-01T08:00:00Z' })
      case 'unfeature':
        return by.patch(`${path}/feature`, { en_avant: false })
      case 'delete':
        return by.delete(path)
      default:
        return by.patch(`${path}/restore`)
    }
  }

  /** Adds a decision on these publications, as far as it changed them. */
  async function note(on: Model[], decisionId: string | null, by: number): Promise<void> {
    const changed: Model[] = []
    for (const model of on) {
      const [now, open] = [await read(model.id), await openReportsOf(model.id)]
      const closed = model.reports.filter(({ id, open: was }) => was && !open.includes(id))
      const isChanged = JSON.stringify(now) !== JSON.stringify(model.state) || closed.length > 0
      if (!isChanged) continue
      changed.push(model)
      model.entries.set(decisionId ?? '', {
        before: model.state,
        closed: closed.map(({ id }) => id),
      })
      model.steps.push({ kind: 'decision', id: decisionId ?? '' })
      for (const report of closed) report.open = false
      model.state = now
    }
    expect(decisionId === null, 'a decision has an id if it changed something').toBe(changed.length === 0)
    if (decisionId !== null) decisions.push({ id: decisionId, by, on: changed })
  }

  async function undo({ who, back }: Operation): Promise<void> {
    const decision = decisions[decisions.length - 1 - back]
    if (decision === undefined) return
    const isAdmin = who === 2
    const answer = await (isAdmin ? admin : (moderators[who] ?? admin)).post(
      `/admin/decisions/${decision.id}/undo`,
    )
    if (!isAdmin && who !== decision.by) {
      expect(answer).toBeError(403, 'forbidden')
      return compare()
    }
    expect(answer.status).toBe(200)
    const results = new Map<string, string>(
      answer.body.data.map(({ id, result }: { id: string; result: string }) => [id, result]),
    )
    expect([...results.keys()].sort()).toEqual(decision.on.map(({ id }) => id).sort())
    if (decision.undone !== undefined) {
      expect(results).toEqual(decision.undone)
      return compare()
    }
    for (const model of decision.on) {
      const result = predictUndo(model, decision.id)
      expect(results.get(model.id)).toBe(result)
      counts[result] += 1
      if (result === 'undone') decision.undone = results
    }
    return compare()
  }

  /** Changes the model as the undo should. */
  function predictUndo(model: Model, id: string): 'undone' | 'changed_since' {
    const entry = model.entries.get(id)
    if (entry === undefined) throw new Error('not a decision on this publication')
    const last = model.steps.at(-1)
    if (last?.kind !== 'decision' || last.id !== id) return 'changed_since'
    model.steps.pop()
    model.state = entry.before
    const newer = new Set(model.reports.filter(({ open }) => open).map(({ by }) => by))
    for (const report of model.reports)
      if (entry.closed.includes(report.id) && !newer.has(report.by)) report.open = true
    return 'undone'
  }

  async function compare(): Promise<void> {
    for (const model of models) {
      expect(await read(model.id)).toEqual(model.state)
      const open = model.reports.flatMap(({ id, open }) => (open ? [id] : [])).sort()
      expect(await openReportsOf(model.id)).toEqual(open)
    }
  }

  async function change(kind: 'edit' | 'pin' | 'withdraw', model: Model): Promise<void> {
    const path = `/publications/${model.id}`
    if (kind === 'edit') await asOwner.patch(path, { title: `Titre ${Math.random()}` })
    else if (kind === 'pin') await asOwner.patch(path, { epingle: model.state.epingle !== true })
    else await asOwner.delete(path)
    const now = await read(model.id)
    if (JSON.stringify(now) !== JSON.stringify(model.state)) model.steps.push({ kind: 'other' })
    model.state = now
  }

  async function apply(one: Operation): Promise<void> {
    const { kind, which, who } = one
    const model = models[which] as Model
    if (kind === 'undo') return undo(one)
    if (kind === 'edit' || kind === 'pin' || kind === 'withdraw') return change(kind, model)
    if (kind === 'report') {
      const answer = await (reporters[who] ?? admin).post(`/publications/${model.id}/report`, {})
      const { id } = answer.body.data ?? {}
      if (answer.status === 201 && !model.reports.some((report) => report.id === id))
        model.reports.push({ id, by: who, open: true })
      return
    }
    const by = who % 2
    const moderator = moderators[by] ?? admin
    if (kind === 'bulk') {
      const body = {
        ids: models.map(({ id }) => id),
        moderation_status: which === 0 ? 'published' : 'rejected',
      }
      const answer = await moderator.patch('/admin/publications/bulk/moderate', body)
      return note(models, answer.body.meta.decision_id, by)
    }
    const answer = await send(kind, moderator, model)
    if (answer.status === 200) await note([model], answer.body.data.decision_id, by)
  }

  return { apply, counts }
}

type Logged = { action: string; request_id: string; before: State | null; after: State | null }

/*
 * Concurrent changes by several people. The audit log has the changes of a publication in their real order, because
 * each row lock is held until its entry is written.
 */
test('with concurrent decisions and edits, each undo restores the state before its decision or changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 12, maxLength: 24 }), async (history) => {
      const { asOwner, content } = await openAssociation(world)
      const { id } = (await asOwner.post('/publications', content)).body.data
      const first = await read(id)
      const decided: { id: string; request: string }[] = []
      const outcomes = new Map<string, string>()
      const path = `/admin/publications/${id}`
      async function act({ kind, who }: Operation, index: number): Promise<void> {
        const by = moderators[who % 2] ?? admin
        if (kind === 'edit' || kind === 'pin') {
          await asOwner.patch(`/publications/${id}`, { title: `Titre ${index}` })
        } else if (kind === 'report') {
          await reporters[who]?.post(`/publications/${id}/report`, {})
        } else if (kind === 'undo' && decided.length > 0) {
          const one = decided[index % decided.length] as { id: string }
          const answer = await admin.post(`/admin/decisions/${one.id}/undo`)
          expect(answer.status).toBe(200)
          const [item] = answer.body.data
          if (item.result === 'undone') outcomes.set(one.id, item.result)
        } else {
          const statuses = { publish: 'published', reject: 'rejected', approve: 'approved' } as Record<
            string,
            string
          >
          const answer =
            kind === 'delete'
              ? await by.delete(path)
              : kind === 'restore'
                ? await by.patch(`${path}/restore`)
                : kind === 'feature'
                  ? await by.patch(`${path}/feature`, { en_avant: true })
                  : await by.patch(`${path}/moderate`, { moderation_status: statuses[kind] ?? 'pending' })
          const decision = answer.body.data?.decision_id
          if (decision) decided.push({ id: decision, request: answer.headers.get('x-request-id') ?? '' })
        }
      }
      for (let start = 0; start < history.length; start += 6)
        await Promise.all(history.slice(start, start + 6).map((one, place) => act(one, start + place)))
      await replay(id, first, decided, outcomes)
    }),
    { numRuns: propertyRuns(1 / 4) },
  )
}, 600_000)

/** Walks the audit log of a publication, and checks each undo in it. */
async function replay(
  id: string,
  first: State,
  decided: { id: string; request: string }[],
  outcomes: ReadonlyMap<string, string>,
): Promise<void> {
  const { rows } = await sql<Logged>`
    select action, request_id, before, after from audit_log
    where entity = 'publication' and entity_id = ${id} and action not in ('publication.create', 'publication.report')
    order by seq`.execute(db)
  let state = JSON.parse(JSON.stringify(first)) as State
  // The states before the decisions in effect, the last one on top; null: another change.
  const stack: ({ id: string | undefined; before: State } | null)[] = []
  const undone = new Set<string>()
  for (const { action, request_id, before, after } of rows) {
    const next = { ...state }
    for (const name of Object.keys(state)) if (name in (after ?? {})) next[name] = after?.[name]
    for (const name of Object.keys(state))
      if (name in (before ?? {})) expect(state[name]).toEqual(before?.[name])
    if (action === 'publication.undo') {
      const top = stack.pop()
      expect(top, 'only the last change is undone').not.toBeNull()
      expect(top?.id).toBe(after?.decision_id)
      expect(next).toEqual(top?.before)
      undone.add(String(after?.decision_id))
    } else if (action === 'publication.update') stack.push(null)
    else stack.push({ id: decided.find(({ request }) => request === request_id)?.id, before: state })
    state = next
  }
  expect(JSON.parse(JSON.stringify(await read(id)))).toEqual(state)
  for (const one of undone) expect(outcomes.get(one)).toBe('undone')
}

test('a publication that was hidden before its decision is hidden after the undo', async () => {
  const { asOwner, content } = await openAssociation(world)
  const { id } = (await asOwner.post('/publications', content)).body.data
  const [moderator] = moderators
  const publish = await moderator.patch(`/admin/publications/${id}/moderate`, {
    moderation_status: 'published',
  })
  expect((await world.get(`/publications/${id}`)).status).toBe(200)
  await moderator.post(`/admin/decisions/${publish.body.data.decision_id}/undo`)
  expect((await world.get(`/publications/${id}`)).status).toBe(404)
})

test('an undo that restores a published state shows no publication of an acteur deleted since', async () => {
  const { asOwner, acteur, content } = await openAssociation(world, { can_publish: true })
  const { id } = (await asOwner.post('/publications', content)).body.data
  const [moderator] = moderators
  const reject = await moderator.patch(`/admin/publications/${id}/moderate`, {
    moderation_status: 'rejected',
  })
  await db
    .updateTable('acteurs')
    .set({ deleted_at: new Date(), active: false })
    .where('id', '=', acteur.id)
    .execute()
  const answer = await moderator.post(`/admin/decisions/${reject.body.data.decision_id}/undo`)
  expect(answer.body.meta.undone).toBe(1)
  expect((await client({ source: 'public' }).get(`/publications/${id}`)).status).toBe(404)
  expect((await admin.get(`/admin/publications/${id}`)).body.data.hidden_because).toContain('acteur_deleted')
})
