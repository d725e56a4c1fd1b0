import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { uuidv7 } from '../platform/formats/uuid.ts'

const { url, db, commune } = await openWorld()
const here = await commune({ slug: 'ici', nom: 'Ici', code_insee: '01001' })
const there = await commune({ slug: 'la', nom: 'Là', code_insee: '01002' })

async function insertFacts(count: number, values: object) {
  const rows = Array.from({ length: count }, () => ({
    ...{ source_id: uuidv7(), year: 2026, commune_id: here.id, kind: 'report', detail: 'spam' },
    ...values,
  }))
  await db.insertInto('moderation_facts').values(rows).execute()
}
const statement = {
  ...{ kind: 'statement', detail: 'rejected', ground: 'hors-sujet', ground_label: 'Hors <sujet>' },
  ...{ by_report: true, by_machine: false },
}
const pageOf = async (path: string) => {
  const response = await fetch(url + path)
  expect(response.status, path).toBe(200)
  return (await response.text()).replace(/\u00a0/g, ' ')
}

test('without numbers the pages say so, and the file has its head alone', async () => {
  for (const path of ['/transparence', '/communes/ici/transparence'])
    expect(await pageOf(path)).toContain('Rien n’a encore été signalé ni décidé.')
  expect(await pageOf('/transparence.csv?annee=2001')).toBe(
    'annee,commune,code_insee,chiffre,valeur,libelle,nombre\r\n',
  )
})

test('shows the numbers of the last year that has some, those under five only as such', async () => {
  expect(await pageOf('/transparence')).not.toContain('Par motif')
  await insertFacts(6, {})
  await insertFacts(4, { detail: 'wrong', commune_id: there.id })
  await insertFacts(5, { kind: 'case', detail: 'kept', hours: 12.5 })
  await insertFacts(4, { kind: 'case', detail: 'kept', hours: 40, commune_id: there.id })
  await insertFacts(7, statement)
  await insertFacts(5, { kind: 'complaint', detail: 'upheld' })
  await insertFacts(9, { year: 2024, detail: 'other' })
  await expect
    .poll(() => pageOf('/transparence'))
    .toMatch(/Publicité indésirable<\/dt><dd>6<[\s\S]*Faux ou périmé<\/dt><dd>moins de 5</)
  const page = await pageOf('/transparence')
  expect(page).toContain('Hors &lt;sujet&gt;</dt><dd>7<')
  expect(page).toContain('Après un signalement</dt><dd>7<')
  expect(page).toContain('Décision maintenue</dt><dd>5<')
  expect(page).toContain('12,5 h pour la moitié des 9 cas, 40 h pour 95 %')
  expect(page).toContain('<a href="/transparence?annee=2026" aria-current="page">2026</a>')
  expect(page).toContain('href="/transparence.csv?annee=2026"')
  expect(await pageOf('/transparence?annee=2024')).toContain('Autre</dt><dd>9<')
  expect(await pageOf('/transparence?annee=2025')).toContain('Rien n’a été signalé ni décidé en 2025.')
})

test('a commune has its own numbers, and its pages lead to them', async () => {
  const page = await pageOf('/communes/la/transparence')
  expect(page).toContain('Faux ou périmé</dt><dd>moins de 5<')
  expect(page).not.toMatch(/Publicité indésirable|Délai|Réclamations/)
  expect(page).not.toContain('?annee=2024')
  expect(await pageOf('/communes/la/agenda')).toContain('href="/communes/la/transparence"')
  expect(await pageOf('/regles')).toContain('href="/transparence"')
})

test('the file has the numbers of all communes together, then of each', async () => {
  const response = await fetch(`${url}/transparence.csv?annee=2026`)
  expect(response.headers.get('content-disposition')).toContain('transparence-2026.csv')
  const rows = parse(await response.text(), { columns: true }) as Record<string, string>[]
  const spam = { annee: '2026', chiffre: 'reports', valeur: 'spam', libelle: 'Publicité indésirable' }
  const wrong = { annee: '2026', chiffre: 'reports', valeur: 'wrong', libelle: 'Faux ou périmé' }
  expect(rows.filter(({ chiffre }) => chiffre === 'reports')).toEqual([
    { ...spam, commune: '', code_insee: '', nombre: '6' },
    { ...wrong, commune: '', code_insee: '', nombre: 'moins de 5' },
    { ...spam, commune: 'Ici', code_insee: '01001', nombre: '6' },
    { ...wrong, commune: 'Là', code_insee: '01002', nombre: 'moins de 5' },
  ])
})

test('a site restricted to a commune counts that commune alone', async () => {
  const restrict = (commune_ids: string[] | null) =>
    db.updateTable('app_sources').set({ commune_ids }).where('code', '=', 'site').execute()
  await restrict([there.id])
  try {
    await expect.poll(() => pageOf('/transparence')).not.toContain('Publicité indésirable')
    expect(await pageOf('/transparence')).toContain('Faux ou périmé')
    const csv = await pageOf('/transparence.csv?annee=2026')
    expect(csv).toContain('Faux ou périmé')
    expect(csv).not.toMatch(/Publicité indésirable|Ici/)
  } finally {
    await restrict(null)
  }
})

test.each(['1999', '3000', 'x', '2026.5'])('refuses the year %s with 422', async (year) => {
  for (const path of ['/transparence', '/transparence.csv', '/communes/ici/transparence'])
    expect((await fetch(`${url}${path}?annee=${year}`)).status, path).toBe(422)
})
