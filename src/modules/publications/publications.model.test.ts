import { expect, test } from 'vitest'
import { fc, propertyRuns } from '../../../test/support/fast-check.ts'
import { openWorld } from '../../../test/support/world.ts'
import { openAssociation } from './publications.test-kit.ts'

const world = await openWorld({ keeps: true })
const admin = await world.as('admin')

/** A simple model of a publication. */
type Model = {
  id: string
  who: number
  status: string
  valide: boolean
  publieLe: string | null
  deleted: boolean
  featured: boolean
  pinned: boolean
}
type Operation = { kind: (typeof kinds)[number]; who: 0 | 1; which: number }

const kinds = [
  'create',
  'create',
  'edit',
  'pin',
  'delete',
  'publish',
  'approve',
  'reject',
  'wait',
  'toggle',
  'feature',
  'remove',
  'restore',
  'close',
] as const
const operations = fc.array(
  fc.record({
    kind: fc.constantFrom(...kinds),
    who: fc.constantFrom(0 as const, 1 as const),
    which: fc.nat(30),
  }),
  { minLength: 5, maxLength: 25 },
)

test('after any sequence of operations lists, totals and single reads equal a simple model', async () => {
  await fc.assert(
    fc.asyncProperty(operations, async (sequence) => {
      const scene = await openScene()
      for (const operation of sequence) await scene.apply(operation)
      await scene.compare()
    }),
    { numRuns: propertyRuns(1 / 8) },
  )
}, 600_000)

/** Two acteurs in one commune, of which the second may publish; each active or not. */
async function openScene() {
  const first = await openAssociation(world)
  const second = await openAssociation(world, { can_publish: true })
  await world.db
    .updateTable('acteurs')
    .set({ commune_id: first.commune.id })
    .where('id', '=', second.acteur.id)
    .execute()
  const acteurs = [first, second] as const
  const open = [true, true]
  const models: Model[] = []

  async function apply({ kind, who, which }: Operation): Promise<void> {
    if (kind === 'close') return toggleActeur(who)
    if (kind === 'create') return create(who)
    const model = models[which % Math.max(1, models.length)]
    if (model === undefined) return
    const answer = await perform(kind, model)
    const allowed = predict(kind, model)
    // For members a deleted publication does not exist; for the back-office it is a conflict.
    const refusal = ['edit', 'pin', 'delete'].includes(kind) ? 404 : 409
    expect(answer.status, kind).toBe(allowed ? 200 : refusal)
    if (!allowed) return
    if (model.publieLe === 'now') model.publieLe = answer.body.data.publie_le
    expect(stateOf(answer.body.data), kind).toEqual(model)
  }

  async function create(who: 0 | 1): Promise<void> {
    const answer = await acteurs[who].asOwner.post('/publications', acteurs[who].content)
    expect(answer.status).toBe(open[who] ? 201 : 403)
    if (!open[who]) return
    const { id, publie_le } = answer.body.data
    const publishes = who === 1
    const state = {
      status: publishes ? 'published' : 'pending',
      valide: publishes,
      publieLe: publishes ? publie_le : null,
    }
    models.push({ id, who, ...state, deleted: false, featured: false, pinned: false })
    expect(stateOf(answer.body.data)).toEqual(models.at(-1))
  }

  function perform(kind: Operation['kind'], { id, who }: Model) {
    const { asOwner } = acteurs[who === 0 ? 0 : 1]
    const moderate = (moderation_status: string) =>
      admin.patch(`/admin/publications/${id}/moderate`, { moderation_status })
    const requests = {
      edit: () => asOwner.patch(`/publications/${id}`, { title: `Titre ${Math.random()}` }),
      pin: () => asOwner.patch(`/publications/${id}`, { epingle: true }),
      delete: () => asOwner.delete(`/publications/${id}`),
      publish: () => moderate('published'),
      approve: () => moderate('approved'),
      reject: () => moderate('rejected'),
      wait: () => moderate('pending'),
      toggle: () => admin.patch(`/admin/publications/${id}/valide`),
      feature: () => admin.patch(`/admin/publications/${id}/feature`, { en_avant: true }),
      remove: () => admin.delete(`/admin/publications/${id}`),
      restore: () => admin.patch(`/admin/publications/${id}/restore`),
    }
    return requests[kind as keyof typeof requests]()
  }

  /** Applies the operation to the model; false when it should be refused. */
  function predict(kind: Operation['kind'], model: Model): boolean {
    if (kind === 'restore') return set(model, { deleted: false })
    if (kind === 'remove') return set(model, { deleted: true })
    if (model.deleted) return false
    const publieLe = model.publieLe ?? 'now'
    const trusted = model.who === 1 && open[1]
    if (kind === 'delete') return set(model, { deleted: true })
    if (kind === 'pin') return set(model, { pinned: true })
    // A rejected publication is reviewed again, whoever corrects it.
    const stays = trusted && model.status !== 'rejected'
    if (kind === 'edit') return stays || set(model, { status: 'pending', valide: false })
    if (kind === 'publish') return set(model, { status: 'published', valide: true, publieLe })
    if (kind === 'approve') return set(model, { status: 'approved', valide: true })
    if (kind === 'reject') return set(model, { status: 'rejected', valide: false })
    if (kind === 'wait') return set(model, { status: 'pending', valide: false })
    if (kind === 'feature') return set(model, { featured: true })
    return set(model, model.valide ? { valide: false } : { status: 'published', valide: true, publieLe })
  }

  async function toggleActeur(who: 0 | 1): Promise<void> {
    open[who] = !open[who]
    await world.db
      .updateTable('acteurs')
      .set({ active: open[who] })
      .where('id', '=', acteurs[who].acteur.id)
      .execute()
  }

  async function compare(): Promise<void> {
    const isVisible = (one: Model) =>
      one.valide &&
      ['approved', 'published'].includes(one.status) &&
      one.publieLe !== null &&
      !one.deleted &&
      open[one.who]
    const visible = models.filter(isVisible)
    for (const one of models) {
      expect((await world.get(`/publications/${one.id}`)).status).toBe(isVisible(one) ? 200 : 404)
    }
    await expectList(`/communes/${first.commune.id}/publications`, sorted(visible, 'featured'))
    for (const [who, { acteur }] of acteurs.entries()) {
      const theirs = visible.filter((one) => one.who === who)
      await expectList(`/publications?acteur_id=${acteur.id}`, sorted(theirs, 'featured'))
      if (open[who]) await expectList(`/acteurs/${acteur.id}/publications`, sorted(theirs, 'pinned'))
      else expect((await world.get(`/acteurs/${acteur.id}/publications`)).status).toBe(404)
    }
  }

  return { apply, compare }
}

async function expectList(path: string, expected: Model[]): Promise<void> {
  const seen = []
  for (let page = 1; page === 1 || seen.length < expected.length; page++) {
    const { body } = await world.get(`${path}${path.includes('?') ? '&' : '?'}per_page=3&page=${page}`)
    expect(body.meta.total).toBe(expected.length)
    if (body.data.length === 0) break
    seen.push(...body.data.map(({ id }: Model) => id))
  }
  expect(seen).toEqual(expected.map(({ id }) => id))
}

function sorted(models: Model[], first: 'featured' | 'pinned'): Model[] {
  const key = (one: Model) => `${Number(one[first])} ${one.publieLe} ${one.id}`
  return models.toSorted((one, other) => (key(one) < key(other) ? 1 : -1))
}

function stateOf(data: Record<string, unknown>) {
  return {
    id: data.id,
    who: expect.any(Number),
    status: data.moderation_status,
    valide: data.valide,
    publieLe: data.publie_le,
    deleted: data.deleted_at !== null,
    featured: data.en_avant,
    pinned: data.epingle,
  }
}

function set(model: Model, values: Partial<Model>): boolean {
  Object.assign(model, values)
  return true
}
