import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { collectesKit, formOf } from '../collectes.test-kit.ts'
import { columnsOf, everyWeeks, grey, linesPage, monthsOf, type Page, pdfOf, yellow } from './pdf.test-kit.ts'
import { readInProcess } from './read-in-process.ts'

const world = await openWorld()
world.setClock('2026-11-29T10:00:00.000Z')
const { openTerritory } = await collectesKit(world)
const town = await world.commune()
const group = await openTerritory([town.id])
const path = `/mairie/acteurs/${group.acteur.id}/collectes/proposal`
const send = (pdf: Buffer) => group.owner.post(path, formOf(pdf))

const rounds = { yellow: everyWeeks('2027-01-05', 2), grey: everyWeeks('2027-01-07', 1) }
const whole = [
  { type_dechet: 'emballages', libelle: 'Bac jaune', dates: rounds.yellow },
  { type_dechet: 'ordures_menageres', libelle: 'Ordures ménagères', dates: rounds.grey },
]
const byName = (collectes: { libelle: string }[]) =>
  collectes.toSorted((a, b) => (a.libelle < b.libelle ? -1 : 1))
async function proposed(...pages: Page[]) {
  const { status, body, text } = await send(pdfOf(pages))
  if (status !== 200) throw new Error(text)
  return { ...body.data, collectes: byName(body.data.collectes) }
}

test.each([
  ['twelve columns, with fields of colour in the cells', columnsOf(2027, rounds)],
  ['twelve columns on a page that is turned', { ...columnsOf(2027, rounds), isTurned: true }],
  ['small months, with colours behind the numbers and weeks beside them', monthsOf(2027, rounds)],
])('reads a year of %s', async (_layout, page) => {
  expect(await proposed(page)).toEqual({ du: '2027-01-05', au: '2027-12-30', collectes: whole, notes: [] })
})

test('a year that begins in September goes over to the next one', async () => {
  const own = { yellow: ['2026-09-01', '2027-08-31'], grey: ['2026-12-31', '2027-01-01'] }
  const { collectes } = await proposed(columnsOf(2026, own, { start: 9 }))
  expect(collectes).toMatchObject([{ dates: own.yellow }, { dates: own.grey }])
})

test('letters in the cells stand for what the legend says, and words for themselves', async () => {
  const page = columnsOf(2027, { yellow: [], grey: [] }, { legend: false })
  const at = (month: number, day: number) => ({ x: 30 + (month - 1) * 64 + 34, y: 66 + (day - 1) * 14 + 10 })
  page.texts.push(
    { ...at(1, 5), text: 'J' },
    { ...at(2, 2), text: 'J' },
    { ...at(3, 1), text: 'Verre', size: 7 },
    { x: 40, y: 530, text: 'J : bac jaune', size: 10 },
  )
  expect((await proposed(page)).collectes).toEqual([
    { type_dechet: 'emballages', libelle: 'Bac jaune', dates: ['2027-01-05', '2027-02-02'] },
    { type_dechet: 'verre', libelle: 'Verre', dates: ['2027-03-01'] },
  ])
})

test('reads lists of dates, by collection or by month, also in two columns', async () => {
  const byCollecte = await proposed(
    linesPage([
      'Calendrier 2027',
      'Bac jaune : 3, 17 janvier ; 1er et 15 février',
      'Ordures ménagères : tous les lundis',
      'Encombrants : 05/04/2027, 4.10',
      'Renseignements : 04 79 01 02 03, de 8 h à 12 h',
    ]),
  )
  expect(byCollecte).toMatchObject({
    collectes: [
      { libelle: 'Bac jaune', dates: ['2027-01-03', '2027-01-17', '2027-02-01', '2027-02-15'] },
      { libelle: 'Encombrants', dates: ['2027-04-05', '2027-10-04'] },
    ],
    notes: [],
  })
  const byMonth = await proposed(
    linesPage([
      'Les collectes de 2027',
      'Janvier\tFévrier',
      'Bac jaune : 5, 19\tBac jaune : 2, 16',
      'Bac gris : 7, 14\tBac gris : 4, 11',
      'Mars\tAvril',
      'Bac jaune : 2, 16\tBac jaune : 6, 20',
    ]),
  )
  expect(byMonth.collectes).toMatchObject([
    { libelle: 'Bac gris', dates: ['2027-01-07', '2027-01-14', '2027-02-04', '2027-02-11'] },
    {
      libelle: 'Bac jaune',
      dates: ['01-05', '01-19', '02-02', '02-16', '03-02', '03-16', '04-06', '04-20'].map(
        (day) => `2027-${day}`,
      ),
    },
  ])
})

test('says what somebody has to look at', async () => {
  expect(await proposed(linesPage(['Bac jaune : 5 janvier']))).toMatchObject({
    du: '2027-01-05',
    notes: ['year_assumed'],
  })
  const wrongYear = columnsOf(2027, rounds)
  for (const one of wrongYear.texts) one.text = one.text.replace('2027', '2026')
  expect((await proposed(wrongYear)).notes).toEqual(['weekdays_differ'])
  const torn = columnsOf(2027, rounds)
  torn.texts = torn.texts.filter(({ text, x }) => text !== '17' || x > 94)
  expect(await proposed(torn)).toMatchObject({ du: '2027-02-02', notes: ['months_missing'] })
  expect(
    (await proposed(linesPage(['Bac jaune : 5 janvier 2027', 'Marché :', '6 janvier 2027']))).notes,
  ).toEqual(['dates_without_name'])
})

const encrypted = {
  trailer: '/Encrypt 4 0 R /ID [<00> <00>]',
  objects: [`<< /Filter /Standard /V 1 /R 2 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> /P -4 >>`],
}
const picture: Page = {
  ...{ width: 595, height: 842, texts: [] },
  marks: [
    { x: 40, y: 40, width: 500, height: 300, colour: yellow },
    { x: 40, y: 400, width: 500, height: 300, colour: grey },
  ],
}

const letters: Page = {
  ...{ width: 595, height: 842, marks: [] },
  texts: Array.from({ length: 90 }, (_, index) => ({
    x: 20,
    y: 20 + 8 * index,
    text: 'x'.repeat(900),
    size: 1,
  })),
}

test.each([
  ['is a picture', pdfOf([picture]), 'image sans texte'],
  ['is encrypted', pdfOf([linesPage(['Bac jaune'])], encrypted), 'mot de passe'],
  ['is damaged', Buffer.from('%PDF-1.7\nand nothing else'), 'abîmé'],
  ['is no PDF', Buffer.from('Bac jaune : 5 janvier 2027'), 'pas un PDF'],
  ['has no date', pdfOf([linesPage(['Bac jaune : tous les mardis'])]), 'ni mois ni dates'],
  ['has no legend', pdfOf([columnsOf(2027, rounds, { legend: false })]), 'aucune marque'],
  ['names no collection', pdfOf([linesPage(['5 janvier 2027', '19 janvier 2027'])]), 'de quelles collectes'],
  ['has many pages', pdfOf(Array.from({ length: 13 }, () => linesPage(['Bac jaune']))), 'trop long'],
  ['has many letters', pdfOf([letters]), 'trop long'],
])('refuses a file that %s, and says so in French', async (_what, pdf, sentence) => {
  const answer = await group.owner.post(path, formOf(pdf), { headers: { 'accept-language': 'fr' } })
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details).toMatchObject([{ field: 'file', message: expect.stringContaining(sentence) }])
})

test('a file that ends the process that reads it, or takes too long, is unreadable', async () => {
  const options = {
    signal: new AbortController().signal,
    process: new URL('./reading.test-worker.ts', import.meta.url).pathname,
  }
  const read = (word: string, timeoutMs?: number) =>
    readInProcess(Buffer.from(word), '2026-11-29', { ...options, ...(timeoutMs && { timeoutMs }) })
  expect(await read('end')).toEqual({ unreadable: 'damaged' })
  expect(await read('hang', 500)).toEqual({ unreadable: 'too_much' })
  expect(await read('answer')).toEqual({ unreadable: 'no_date' })
  const leaving = AbortSignal.abort(new Error('the client has left'))
  await expect(
    readInProcess(Buffer.from('hang'), '2026-11-29', { ...options, signal: leaving }),
  ).rejects.toThrow('the client has left')
})

test('a file that takes too much memory ends the process that reads it', async () => {
  const pdf = pdfOf(Array.from({ length: 12 }, () => linesPage(['Bac jaune : 5 janvier 2027'])))
  const read = (maxMemoryBytes?: number) =>
    readInProcess(pdf, '2026-11-29', {
      signal: new AbortController().signal,
      ...(maxMemoryBytes && { maxMemoryBytes }),
    })
  expect(await read()).toMatchObject({ proposal: { du: '2027-01-05' } })
  expect(await read(180 * 2 ** 20)).toEqual({ unreadable: 'damaged' })
})

test('the team of the group sends a PDF; others are refused', async () => {
  const pdf = pdfOf([linesPage(['Bac jaune : 5 janvier 2027'])])
  const editor = await group.member(['manage_commune'])
  expect((await editor.post(path, formOf(pdf))).status).toBe(200)
  const reader = await group.member(['manage_publications'])
  expect(await reader.post(path, formOf(pdf))).toBeError(403, 'forbidden')
  expect(await editor.post(path, { file: 'x' })).toBeError(415, 'unsupported_media_type')
})
