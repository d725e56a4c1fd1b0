import fc from 'fast-check'
import { expect, test } from 'vitest'
import { factories } from '../../test/support/factories.ts'
import { cloneDatabase } from '../../test/support/world.ts'
import { listProvenance } from '../modules/communes/provenance.ts'
import { loadElus } from './elus/load.ts'
import { bytes, loaded, openLoadWorld } from './load.test-kit.ts'
import { loadMairies } from './mairies/load.ts'
import { createRun, type RunOptions } from './run.ts'

const { db, rows, state } = openLoadWorld(await cloneDatabase())
const { commune, acteur } = factories(db)

const day = (n: number) => `2026-11-${String(n).padStart(2, '0')}`
const record = (code: string, telephone: string | null, heure = '09') => ({
  nom: 'Mairie - X',
  code_insee_commune: code,
  telephone: telephone === null ? [] : [{ valeur: telephone }],
  plage_ouverture: [
    {
      nom_jour_debut: 'Lundi',
      nom_jour_fin: 'Lundi',
      valeur_heure_debut_1: `${heure}:00:00`,
      valeur_heure_fin_1: '12:00:00',
    },
  ],
})
const council = (code: string, ...names: string[]) =>
  [
    "Code de la commune;Nom de l'élu;Prénom de l'élu;Date de début du mandat;Libellé de la fonction",
    ...names.map((name, at) => `${code};${name};Anne;18/05/2026;${at === 0 ? 'Maire' : ''}`),
  ].join('\n')
const annuaire = (content: object, options: RunOptions = {}) => loaded(loadMairies, db, content, options)
const rne = (content: string, options: RunOptions = {}) => loaded(loadElus, db, content, options)

const phoneOf = async (id: string): Promise<string | null> =>
  (
    await rows(
      `select telephone from acteurs where id = (select mairie_actor_id from communes where id = '${id}')`,
    )
  )[0]?.telephone ?? null
/** Writes a phone number as a person does, with its audit entry. */
async function type(id: string, value: string | null) {
  const before = await phoneOf(id)
  if (value === before) return
  const [{ mairie_actor_id }] = await rows(`select mairie_actor_id from communes where id = '${id}'`)
  const typed = JSON.stringify({ telephone: '(personal)' })
  await rows(
    `update acteurs set telephone = ${value === null ? 'null' : `'${value}'`} where id = '${mairie_actor_id}'`,
  )
  await rows(`insert into audit_log (id, action, entity, entity_id, before, after)
    values (gen_random_uuid(), 'acteur.update', 'acteur', '${mairie_actor_id}',
      '${before === null ? '{"telephone": null}' : typed}', '${value === null ? '{"telephone": null}' : typed}')`)
}
const namesOf = async (id: string): Promise<string[]> =>
  (await rows(`select nom from elus where commune_id = '${id}' order by ordre`)).map(({ nom }) => nom)
const factsOf = (id: string) =>
  rows(`select field, source, as_of::text from sourced_facts where commune_id = '${id}' order by field`)

type Word = { value: string | null; settled: boolean }

let codes = 40_000
const nextCode = () => String(codes++)

test('a source updates what it filled, and says by which file', async () => {
  const { id, code_insee } = await commune({ code_insee: nextCode() })
  await annuaire([record(code_insee, '1')], { asOf: day(1) })
  expect(await annuaire([record(code_insee, '2', '10')], { asOf: day(2) })).toEqual({ read: 1, updated: 1 })
  expect(await phoneOf(id)).toBe('2')
  expect(await rows(`select valeur from commune_infos where commune_id = '${id}'`)).toEqual([
    { valeur: 'Le lundi de 10 h à 12 h' },
  ])
  expect(await factsOf(id)).toEqual([
    { field: 'horaires', source: 'mairies', as_of: day(2) },
    { field: 'telephone', source: 'mairies', as_of: day(2) },
  ])
  const before = await Promise.all(['acteurs', 'communes', 'commune_infos', 'sourced_facts'].map(state))
  expect(await annuaire([record(code_insee, '2', '10')], { asOf: day(2) })).toEqual({ read: 1, unchanged: 1 })
  expect(await annuaire([record(code_insee, '1')], { asOf: day(1) })).toEqual({ read: 1, unchanged: 1 })
  expect(await Promise.all(['acteurs', 'communes', 'commune_infos', 'sourced_facts'].map(state))).toEqual(
    before,
  )
  await annuaire([record(code_insee, null, '10')], { asOf: day(3) })
  expect([await phoneOf(id), (await factsOf(id)).map(({ field }) => field)]).toEqual([null, ['horaires']])
})

test('a council that somebody changed stays as it is, its emptiness too', async () => {
  const [one, other] = [await commune({ code_insee: nextCode() }), await commune({ code_insee: nextCode() })]
  for (const { code_insee } of [one, other]) await rne(council(code_insee, 'UN', 'DEUX'), { asOf: day(1) })
  await rows(`update elus set fonction = '1re adjointe' where commune_id = '${one.id}' and nom = 'Deux'`)
  await rows(`delete from elus where commune_id = '${other.id}'`)
  for (const { code_insee } of [one, other]) await rne(council(code_insee, 'TROIS'), { asOf: day(2) })
  expect([await namesOf(one.id), await namesOf(other.id)]).toEqual([['Un', 'Deux'], []])
  expect(await factsOf(one.id)).toEqual([{ field: 'elus', source: null, as_of: null }])
})

test('provenance names the source of what it filled, until a person changes it', async () => {
  const { id, code_insee } = await commune({ code_insee: nextCode() })
  await annuaire([record(code_insee, '1')], { asOf: day(12) })
  await rne(council(code_insee, 'UN', 'DEUX'), { asOf: day(11) })
  const [elus, horaires, telephone] = [
    { field: 'elus', source: 'elus', as_of: day(11) },
    { field: 'horaires', source: 'mairies', as_of: day(12) },
    { field: 'telephone', source: 'mairies', as_of: day(12) },
  ]
  expect(await listProvenance(db, id)).toEqual([elus, horaires, telephone])
  await type(id, '5')
  expect(await listProvenance(db, id)).toEqual([elus, horaires])
  await rows(`update elus set fonction = 'Maire' where commune_id = '${id}'`)
  await rows(`insert into commune_infos values (gen_random_uuid(), '${id}', 'horaires', 'Été', 'Fermée', 9)`)
  expect(await listProvenance(db, id)).toEqual([])
})

test('a council and a phone number that were typed before the first file stay', async () => {
  const { id, code_insee } = await commune({ code_insee: nextCode() })
  const mairie = await acteur({ type: 'mairie', commune_id: id, telephone: null })
  await rows(`update communes set mairie_actor_id = '${mairie.id}' where id = '${id}'`)
  await rows(`insert into elus values (gen_random_uuid(), '${id}', 'Seule', 'Ève', 'Maire', 1)`)
  await rows(`insert into audit_log (id, action, entity, entity_id, after) values
    (gen_random_uuid(), 'commune.update', 'commune', '${id}', '{"elus": "(personal)"}'),
    (gen_random_uuid(), 'acteur.update', 'acteur', '${mairie.id}', '{"telephone": "(personal)"}')`)
  await rne(council(code_insee, 'AUTRE'))
  await annuaire([record(code_insee, '1')])
  expect([await namesOf(id), await phoneOf(id)]).toEqual([['Seule'], null])
})

test('whatever the order of files, hands and mergers, no word of a person is overwritten', async () => {
  const value = fc.constantFrom('1', '2', '3')
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('file' as const),
      value: fc.option(value),
      day: fc.integer({ min: 1, max: 28 }),
    }),
    fc.record({
      kind: fc.constant('hand' as const),
      value: fc.option(fc.constantFrom('1', '2', 'ours', 'mine')),
    }),
    fc.record({ kind: fc.constant('merger' as const), value: fc.option(fc.constant('theirs')) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      const { id, code_insee } = await commune({ code_insee: nextCode() })
      await annuaire([record(code_insee, '1')], { asOf: day(1) })
      // The last value of the source, if it wrote to this acteur; the value of a person after it, and whether a file came since.
      let source: string | null | undefined = '1'
      let word = null as Word | null
      for (const step of steps) {
        if (step.kind === 'file') {
          await annuaire([record(code_insee, step.value)], { asOf: day(step.day) })
          const now = await phoneOf(id)
          if (word === null) source = now
          else {
            expect(now).toBe(word.value)
            word.settled = true
          }
        } else if (step.kind === 'hand') {
          await type(id, step.value)
          // A person who undoes a change before the next file leaves the fact to its source.
          word =
            step.value === source && !word?.settled
              ? null
              : { value: step.value, settled: word?.settled ?? false }
        } else {
          const { value: telephone } = step
          const into = await acteur({ type: 'mairie', commune_id: id, telephone })
          await rows(`update communes set mairie_actor_id = '${into.id}' where id = '${id}'`)
          ;[source, word] = [undefined, telephone === null ? null : { value: telephone, settled: false }]
        }
      }
    }),
    { numRuns: process.env.PARVIS_TEST_LONG ? 500 : 40 },
  )
})

test('two loads at once end as one', async () => {
  const few = await Promise.all(Array.from({ length: 30 }, () => commune({ code_insee: nextCode() })))
  const file = (telephone: string) => few.map(({ code_insee }) => record(code_insee, telephone))
  await annuaire(file('1'), { asOf: day(1) })
  await Promise.all([
    annuaire(file('2'), { asOf: day(2) }),
    annuaire(file('2').toReversed(), { asOf: day(2) }),
  ])
  expect(await Promise.all(few.map(({ id }) => phoneOf(id)))).toEqual(few.map(() => '2'))
  const before = await state('sourced_facts')
  expect(await annuaire(file('2'), { asOf: day(2) })).toEqual({ read: 30, unchanged: 30 })
  expect(await state('sourced_facts')).toEqual(before)
})

test('refuses a file that has nothing, half of the communes, or changes more than a tenth of them', async () => {
  await expect(annuaire([])).rejects.toThrow(
    'The file has nothing of the source mairies: nothing was changed.',
  )
  await expect(annuaire([{ organisme: 'X' }])).rejects.toThrow('The file has nothing of the source mairies')
  await rows('delete from sourced_facts where source is not null')
  const many = await Promise.all(Array.from({ length: 120 }, () => commune({ code_insee: nextCode() })))
  const file = (telephone: (n: number) => string) =>
    many.map(({ code_insee }, n) => record(code_insee, telephone(n)))
  await annuaire(
    file(() => '1'),
    { asOf: day(1) },
  )
  await expect(annuaire(file(() => '1').slice(0, 50), { asOf: day(2) })).rejects.toThrow(
    'The file has 50 of the 120 communes that mairies fills.',
  )
  const shifted = file((n) => (n < 13 ? '2' : '1'))
  const before = await Promise.all(['acteurs', 'sourced_facts'].map(state))
  await expect(annuaire(shifted, { asOf: day(2) })).rejects.toThrow(
    'The file changes what mairies says of 13 of 120 communes, more than a tenth.',
  )
  expect(await Promise.all(['acteurs', 'sourced_facts'].map(state))).toEqual(before)
  expect(await annuaire(shifted, { asOf: day(2), acceptFall: true })).toMatchObject({ updated: 13 })
  const councils = (name: string) => many.map(({ code_insee }) => council(code_insee, name).split('\n')[1])
  const header = council('').split('\n')[0]
  await rne([header, ...councils('UN')].join('\n'), { asOf: day(1) })
  await expect(rne([header, ...councils('DEUX')].join('\n'), { asOf: day(2) })).rejects.toThrow(
    'The file changes what elus says of 120 of 120 communes, more than a tenth.',
  )
})

test('the database refuses to give the word of a person back to a source', async () => {
  const { id, code_insee } = await commune({ code_insee: nextCode() })
  await annuaire([record(code_insee, '1')], { asOf: day(1), acceptFall: true })
  await type(id, '5')
  await annuaire([record(code_insee, '1')], { asOf: day(2), acceptFall: true })
  await expect(
    rows(`update sourced_facts set source = 'mairies', as_of = now(), digest = repeat('0', 64)
      where commune_id = '${id}' and field = 'telephone'`),
  ).rejects.toThrow('is the word of a person')
})

test('a load that was stopped between batches is completed by the same file', async () => {
  const file = []
  for (let n = 0; n < 1_100; n++)
    file.push(record((await commune({ code_insee: nextCode() })).code_insee, '1'))
  const stop = new AbortController()
  const cut = createRun({ signal: stop.signal, asOf: day(1) })
  Object.defineProperty(cut.counts, 'created', { get: () => 0, set: () => stop.abort() })
  await expect(loadMairies(db, bytes(file, 65_536), cut)).rejects.toThrow('aborted')
  expect(await annuaire(file, { asOf: day(1), acceptFall: true })).toEqual({
    read: 1_100,
    created: 100,
    unchanged: 1_000,
  })
})
