import { expect, test } from 'vitest'
import { fc, propertyRuns } from '../../../../test/support/fast-check.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { moderationStatuses } from '../schema.ts'

const world = await openWorld()
const admin = await world.as('admin')
const commune = await world.commune()
// A second report of the same day does not count: midnight in Paris must not come in between.
world.setClock(new Date().toISOString())

/** A simple model of a publication. Times: none, `now` for any past one, or a future one. */
type Model = {
  id: string
  text: number
  status: (typeof moderationStatuses)[number]
  valide: boolean
  publieLe: null | 'now' | string
  featured: boolean
  reported: boolean
  deleted: boolean
}

// Few publications, mostly published, so that operations concern the same ones.
const which = fc.nat(5)
const status = fc.constantFrom(...moderationStatuses, 'published' as const, 'published' as const)
const operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('create'), text: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('edit'), which, text: fc.nat(3) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('moderate'), which, status }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('schedule'),
      which,
      time: fc.constantFrom(null, '2098-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('bulk'), several: fc.array(which, { minLength: 1 }), status }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('valide'), which, valide: fc.option(fc.boolean()) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('feature'), which, featured: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('report'), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete'), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restore'), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('acteur') }) },
)
/** Initial operations before random ones. */
const beginning: Operation[] = [
  ...[0, 0, 1, 1, 2, 3].map((text) => ({ do: 'create', text })),
  { do: 'bulk', several: [0, 1, 2, 3], status: 'published' },
  { do: 'report', which: 0 },
]
type Operation = {
  do: string
  which?: number
  several?: number[]
  text?: number
  status?: Model['status']
  time?: string | null
  valide?: boolean | null
  featured?: boolean
}

test('after any sequence of operations the back-office list and totals equal a simple model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 20, maxLength: 40 }), async (sequence) => {
      const scene = await openScene()
      for (const one of [...beginning, ...sequence]) await scene.apply(one as Operation)
      await scene.compare()
    }),
    { numRuns: propertyRuns(1 / 8) },
  )
}, 900_000)

/** An acteur whose publications anyone may report and the back-office may close. */
async function openScene() {
  const acteur = await world.acteur({ commune_id: commune.id, valide: true })
  const models: Model[] = []
  let open = true

  const isVisible = (one: Model) => isPublic(one) && open
  const reasonsOf = (one: Model) => [
    ...(one.deleted ? ['deleted'] : []),
    ...(one.valide ? [] : ['not_valid']),
    ...(one.status === 'pending' || one.status === 'rejected' ? [one.status] : []),
    ...(one.publieLe === null ? ['no_time'] : []),
    ...(one.publieLe !== null && one.publieLe !== 'now' ? ['not_yet'] : []),
    ...(open ? [] : ['acteur_inactive']),
  ]
  const answers = (one: Model, status = 200) => (one.deleted ? 409 : status)

  async function apply(operation: Operation): Promise<void> {
    if (operation.do === 'create') return create(operation.text ?? 0)
    if (operation.do === 'acteur') return toggleActeur()
    if (operation.do === 'bulk') return bulk(operation)
    const model = models[(operation.which ?? 0) % Math.max(1, models.length)]
    if (model === undefined) return
    const path = `/admin/publications/${model.id}`
    if (operation.do === 'delete') {
      expect((await admin.delete(path)).status).toBe(200)
      model.deleted = true
    } else if (operation.do === 'restore') {
      expect((await admin.patch(`${path}/restore`)).status).toBe(200)
      model.deleted = false
    } else if (operation.do === 'report') {
      const reported = isVisible(model)
      const answer = await world.post(`/publications/${model.id}/report`)
      expect(answer.status).toBe(reported ? 201 : 404)
      // The same caller on the same day counts once until a decision.
      if (reported) model.reported = true
    } else if (operation.do === 'edit') {
      const answer = await admin.patch(`/publications/${model.id}`, contentOf(operation.text ?? 0))
      expect(answer.status).toBe(model.deleted ? 404 : 200)
      if (!model.deleted) model.text = operation.text ?? 0
    } else await decide(operation, model, path)
  }

  const contentOf = (text: number) => ({ title: `Texte ${text}`, body: `Corps ${text}` })

  async function create(text: number): Promise<void> {
    const { status, body } = await admin.post('/publications', { ...contentOf(text), acteur_id: acteur.id })
    expect(status).toBe(open ? 201 : 403)
    if (!open) return
    const state = { status: 'pending', valide: false, publieLe: null } as const
    models.push({ id: body.data.id, text, ...state, featured: false, reported: false, deleted: false })
  }

  async function decide(operation: Operation, model: Model, path: string): Promise<void> {
    if (operation.do === 'feature') {
      const answer = await admin.patch(`${path}/feature`, { en_avant: operation.featured })
      expect(answer.status).toBe(answers(model))
      if (!model.deleted) model.featured = operation.featured ?? false
    } else if (operation.do === 'schedule') {
      const decision = { moderation_status: 'approved', publie_le: operation.time }
      const passed = model.publieLe === 'now'
      const answer = await admin.patch(`${path}/moderate`, decision)
      expect(answer.status).toBe(answers(model, passed ? 422 : 200))
      if (model.deleted || passed) return
      settle(model, 'approved')
      model.publieLe = operation.time ?? null
    } else if (operation.do === 'valide') {
      const { valide } = operation
      const answer = await admin.patch(`${path}/valide`, typeof valide === 'boolean' ? { valide } : undefined)
      expect(answer.status).toBe(answers(model))
      if (model.deleted) return
      if (valide ?? !model.valide) settle(model, 'published')
      else Object.assign(model, { valide: false, reported: false })
    } else {
      const moderation_status = operation.status ?? 'pending'
      const answer = await admin.patch(`${path}/moderate`, { moderation_status })
      expect(answer.status).toBe(answers(model))
      if (!model.deleted) settle(model, moderation_status)
    }
  }

  async function bulk({ several = [], status = 'pending' }: Operation): Promise<void> {
    const ids = several.flatMap((index) => models[index]?.id ?? [])
    if (ids.length === 0) return
    const { body } = await admin.patch('/admin/publications/bulk/moderate', {
      ids,
      moderation_status: status,
    })
    const chosen = new Set(several.flatMap((index) => models[index] ?? []))
    const results = [...chosen].map((model) => {
      const before = JSON.stringify({ ...model, reported: false })
      if (model.deleted) return 'deleted'
      settle(model, status)
      return JSON.stringify(model) === before ? 'unchanged' : 'updated'
    })
    expect(body.data.map(({ result }: { result: string }) => result)).toEqual(results)
  }

  async function toggleActeur(): Promise<void> {
    open = !open
    await world.db.updateTable('acteurs').set({ active: open }).where('id', '=', acteur.id).execute()
  }

  async function compare(): Promise<void> {
    const live = models.filter(({ deleted }) => !deleted)
    const alike = Map.groupBy(live, ({ text }) => text)
    const sizeOf = (one: Model) => alike.get(one.text)?.length ?? 0
    const lists: [string, Model[]][] = [
      ['', live],
      ['&deleted=true', models],
      ['&deleted=only', models.filter(({ deleted }) => deleted)],
      ['&valide=true', live.filter(({ valide }) => valide)],
      ['&valide=false&deleted=true', models.filter(({ valide }) => !valide)],
      ['&reported=true', live.filter(({ reported }) => reported)],
      ['&en_avant=true', live.filter(({ featured }) => featured)],
      ['&en_avant=false&reported=false', live.filter((one) => !one.featured && !one.reported)],
      ['&q=texte+1', live.filter(({ text }) => text === 1)],
      ['&visible=true', live.filter(isVisible)],
      ['&visible=false&deleted=true', models.filter((one) => !isVisible(one))],
      ['&visible=true,false&valide=false,true', live],
      ['&moderation_status=pending,rejected', live.filter(({ status }) => /pending|rejected/.test(status))],
      ['&duplicates=true', live.filter((one) => sizeOf(one) > 1)],
      ...moderationStatuses.map((one): [string, Model[]] => [
        `&moderation_status=${one}`,
        live.filter(({ status }) => status === one),
      ]),
    ]
    for (const [filter, expected] of lists) {
      const { body } = await admin.get(`/admin/publications?acteur_id=${acteur.id}&per_page=100${filter}`)
      const rows = body.data as Record<string, unknown>[]
      expect(rows.map(({ id }) => id).toSorted(), filter).toEqual(expected.map(({ id }) => id).toSorted())
      expect(body.meta.total, filter).toBe(expected.length)
      for (const row of rows) {
        const model = models.find(({ id }) => id === row.id)
        expect(stateOf(row), filter).toEqual(model)
        expect(row.hidden_because, filter).toEqual(model && reasonsOf(model))
      }
      if (!filter.startsWith('&duplicates')) continue
      const texts = rows.map(({ id }) => models.find((one) => one.id === id)?.text ?? -1)
      expect(texts.filter((text, index) => text !== texts[index - 1]).length).toBe(new Set(texts).size)
      for (const row of rows)
        expect(row.duplicate_count).toBe(sizeOf(models.find(({ id }) => id === row.id) ?? fail()))
    }
    const seen = await world.get(`/publications?acteur_id=${acteur.id}`)
    expect(seen.body.meta.total).toBe(models.filter(isVisible).length)
  }

  return { apply, compare }
}

const isPublic = ({ valide, status, publieLe, deleted }: Model) =>
  valide && (status === 'approved' || status === 'published') && publieLe === 'now' && !deleted

/** Applies a decision to the model: status, and closed reports. */
function settle(model: Model, status: Model['status']): void {
  model.status = status
  model.valide = status === 'approved' || status === 'published'
  if (status === 'published') model.publieLe ??= 'now'
  model.reported = false
}

function stateOf(row: Record<string, unknown>): Model {
  const time = row.publie_le as string | null
  return {
    id: String(row.id),
    text: Number(String(row.title).slice(-1)),
    status: row.moderation_status as Model['status'],
    valide: row.valide === true,
    publieLe: time !== null && Date.parse(time) <= Date.now() ? 'now' : time,
    featured: row.en_avant === true,
    reported: row.reports_open !== 0,
    deleted: row.deleted_at !== null,
  }
}

function fail(): never {
  throw new Error('a row that was never made')
}
