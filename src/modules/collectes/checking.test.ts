import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { collectesKit, tableOf } from './collectes.test-kit.ts'

const world = await openWorld()
world.setClock('2026-11-29T10:00:00.000Z')
const { openTerritory, collectesOf, setCollectes } = await collectesKit(world)

const glass = { type_dechet: 'verre', libelle: 'Verre', mode: 'apport_volontaire' }
const bin = { type_dechet: 'emballages', libelle: 'Bac jaune', mode: 'porte_a_porte', jours: ['mardi'] }
const row = { type: 'emballages', libelle: 'Bac jaune', jours: 'mercredi' }

/** Communes, each with a yellow bin on Tuesdays and a container for glass. */
async function towns(count: number) {
  const made = await Promise.all(Array.from({ length: count }, () => world.commune()))
  for (const { id } of made) await setCollectes(id, [bin, glass])
  return made as [(typeof made)[0], (typeof made)[0], ...typeof made]
}

test('refuses files that cannot be read, and names what is wrong', async () => {
  const [amont] = await towns(1)
  const group = await openTerritory([amont.id])
  for (const [content, message] of [
    ['', 'columns'],
    ['a;b\n1;2', 'columns'],
    ['{"communes": []}', 'list of communes'],
    ['[', 'JSON'],
    ['[]', 'no collection'],
    [Buffer.from('PK\x03\x04 and so on'), 'workbook'],
    ['BEGIN:VCALENDAR\r\nEND:VCALENDAR', 'no collection'],
  ] as const) {
    const answer = await group.send(content)
    expect(answer).toBeError(422, 'validation_failed')
    expect(answer.body.details).toMatchObject([{ field: 'file', message: expect.stringContaining(message) }])
  }
  expect(await group.owner.post(group.path, {})).toBeError(422, 'validation_failed')
  const chosen = await group.send(tableOf({ ...row, code_insee: amont.code_insee }), {
    commune_ids: amont.id,
  })
  expect(chosen.body.details).toMatchObject([{ field: 'commune_ids' }])
  for (const id of [uuidv7(), 'x']) {
    expect(await group.apply(id)).toBeError(404, 'not_found')
    expect(await group.undo(id)).toBeError(404, 'not_found')
    expect(await group.owner.get(`${group.path}/${id}`)).toBeError(404, 'not_found')
    expect(await group.owner.get(`${group.path}/${id}/communes/${amont.id}`)).toBeError(404, 'not_found')
  }
})

test('names problems by row, and leaves out the communes that have one', async () => {
  const [amont, aval] = await towns(2)
  const outside = await world.commune()
  const group = await openTerritory([amont.id, aval.id])
  const checked = await group.check(
    tableOf(
      { ...row, code_insee: amont.code_insee },
      { ...row, code_insee: amont.code_insee, jours: 'mardredi' },
      { ...row, code_insee: outside.code_insee },
      { ...row, commune: 'Nulle-Part' },
      { ...row, code_insee: aval.code_insee, semaines: '2' },
    ),
  )
  expect(checked).toMatchObject({ communes_count: 0, to_replace: 0, problem_count: 4, can: [] })
  expect(checked.problems.map(({ row, field, code }: Record<string, unknown>) => [row, field, code])).toEqual(
    [
      [3, 'jours', 'unknown_day'],
      [4, 'commune', 'scope_violation'],
      [5, 'commune', 'unknown_commune'],
      [6, 'a_partir_du', 'date_needed'],
    ],
  )
  expect(await group.apply(checked.id)).toBeError(409, 'conflict')
})

test('a calendar is for the members that are chosen, and for one secteur if that is named', async () => {
  const [amont, aval] = await towns(2)
  const outside = await world.commune()
  const group = await openTerritory([amont.id, aval.id])
  const ics = [
    'BEGIN:VCALENDAR',
    ...[
      'BEGIN:VEVENT',
      'UID:1',
      'SUMMARY:Bac jaune',
      'DTSTART;VALUE=DATE:20261202',
      'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=WE',
      'END:VEVENT',
    ],
    ...['BEGIN:VEVENT', 'UID:2', 'SUMMARY:Encombrants', 'DTSTART;VALUE=DATE:20270104', 'END:VEVENT'],
    ...['BEGIN:VEVENT', 'UID:3', 'SUMMARY:Encombrants', 'DTSTART;VALUE=DATE:20270601', 'END:VEVENT'],
    'END:VCALENDAR',
  ].join('\r\n')
  expect(await group.send(ics, { commune_ids: outside.id })).toBeError(403, 'scope_violation')
  expect((await group.check(ics)).problems).toMatchObject([{ code: 'no_commune' }, { code: 'no_commune' }])
  const { id } = await group.check(ics, { commune_ids: `${amont.id},${aval.id}`, secteur: 'Nord' })
  await group.apply(id)
  for (const town of [amont, aval])
    expect(await collectesOf(town.id)).toMatchObject([
      { libelle: 'Bac jaune', secteur: null, jours: ['mardi'] },
      { libelle: 'Verre', secteur: null },
      {
        type_dechet: 'emballages',
        libelle: 'Bac jaune',
        secteur: 'Nord',
        jours: ['mercredi'],
        toutes_les_semaines: 2,
        a_partir_du: '2026-12-02',
      },
      {
        type_dechet: 'encombrants',
        libelle: 'Encombrants',
        secteur: 'Nord',
        jours: [],
        dates: ['2027-01-04', '2027-06-01'],
      },
    ])
})

test('a calendar filled in by hand replaces the kinds that it has; other collections stay if that is wanted', async () => {
  const [amont, aval] = await towns(2)
  const group = await openTerritory([amont.id, aval.id])
  const blue = { type_dechet: 'papier', libelle: 'Bac bleu', mode: 'porte_a_porte' }
  const yellow = { ...bin, jours: [], dates: ['2027-01-05', '2027-01-19'] }
  const exceptions = [{ date: '2027-01-01', reportee_au: '2027-01-02' }]
  const paper = { ...blue, dates: ['2027-01-01'], exceptions }
  const calendar = JSON.stringify({ collectes: [yellow, paper] })
  for (const [others, commune] of [
    ['kept', amont],
    ['removed', aval],
  ] as const) {
    const checked = await group.check(calendar, { commune_ids: commune.id, others })
    expect(checked).toMatchObject({ kind: 'json', communes_count: 1, problem_count: 0 })
    await group.apply(checked.id)
  }
  const replaced = [
    expect.objectContaining({ libelle: 'Bac jaune', jours: [], dates: ['2027-01-05', '2027-01-19'] }),
    expect.objectContaining({ libelle: 'Bac bleu', exceptions }),
  ]
  expect(await collectesOf(amont.id)).toEqual([expect.objectContaining(glass), ...replaced])
  expect(await collectesOf(aval.id)).toEqual(replaced)
  const named = JSON.stringify([{ code_insee: amont.code_insee, collectes: [yellow] }])
  expect((await group.send(named, { others: 'kept' })).body.details).toMatchObject([{ field: 'others' }])
  const wrong = await group.check(JSON.stringify({ collectes: [3] }), { commune_ids: amont.id })
  expect(wrong.problems).toMatchObject([{ row: 1, code: 'invalid' }])
})

test('shows twelve months of a commune, before and after', async () => {
  const [amont] = await towns(1)
  const group = await openTerritory([amont.id])
  const file = tableOf(
    {
      code_insee: amont.code_insee,
      ...row,
      jours: 'mardi',
      exceptions: '2026-12-29 > 2026-12-30',
      semaines: '1',
    },
    { code_insee: amont.code_insee, type: 'Biodéchets', libelle: '', dates: '05/01/2027', jours: '' },
  )
  const { id } = await group.check(file)
  const calendar = await group.calendar(id, amont.id)
  expect(calendar).toMatchObject({ du: '2026-11-29', au: '2027-11-28', nom: amont.nom })
  expect(calendar.collectes).toMatchObject([
    { libelle: 'Bac jaune', change: 'changed', fields: ['exceptions'] },
    {
      libelle: 'Biodéchets',
      type_dechet: 'biodechets',
      change: 'added',
      jours: [{ date: '2027-01-05', change: 'added' }],
    },
    { libelle: 'Verre', change: 'removed', jours: [] },
  ])
  expect(calendar.collectes[0].jours.slice(3, 7)).toEqual([
    { date: '2026-12-22', change: 'same' },
    { date: '2026-12-29', change: 'removed' },
    { date: '2026-12-30', change: 'added' },
    { date: '2027-01-05', change: 'same' },
  ])
})

test('lists the members with their collections and next date, and gives them as a table that changes nothing', async () => {
  const [amont, aval] = await towns(2)
  const empty = await world.commune()
  const group = await openTerritory([amont.id, aval.id, empty.id])
  await setCollectes(aval.id, [
    {
      ...bin,
      secteur: '=Nord',
      toutes_les_semaines: 2,
      a_partir_du: '2026-12-08',
      exceptions: [{ date: '2026-12-22', reportee_au: null }],
    },
    {
      ...bin,
      libelle: 'Bac; "bleu"',
      jours: ['lundi'],
      rang: -1,
      consignes: 'Deux\nlignes',
      exceptions: [{ date: '2026-12-28', reportee_au: '2026-12-29' }],
    },
    { ...glass, dates: ['2027-03-01', '2027-02-01'] },
  ])
  const { body } = await group.owner.get(`/mairie/acteurs/${group.acteur.id}/collectes`)
  expect(body.data).toHaveLength(3)
  expect(body.data).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ commune_id: amont.id, collectes: 2, prochaine: '2026-12-01' }),
      expect.objectContaining({ commune_id: aval.id, collectes: 3, prochaine: '2026-11-30' }),
      expect.objectContaining({ commune_id: empty.id, collectes: 0, prochaine: null }),
    ]),
  )
  const { text } = await group.owner.get(`/mairie/acteurs/${group.acteur.id}/collectes/table`)
  expect(text).toContain(empty.nom)
  const checked = await group.check(text)
  expect(checked).toMatchObject({ communes_count: 2, to_replace: 0, problems: [], can: [] })
})
