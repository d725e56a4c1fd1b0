import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { insertAct, insertPublished } from '../modules/acts/acts.test-kit.ts'
import { occultAct } from '../modules/acts/publishing.ts'
import { nameOfSubject, subjectCodes } from '../modules/acts/subjects.ts'
import { operator } from '../platform/access/caller.ts'

/** The published schema of SCDL "Délibérations", version 2.1.5: each column with its type, and whether it is required. */
const schema: Record<string, { type: RegExp; isRequired?: true }> = {
  COLL_NOM: { type: /./, isRequired: true },
  COLL_SIRET: { type: /^\d{14}$/, isRequired: true },
  DELIB_ID: { type: /./, isRequired: true },
  DELIB_DATE: { type: /^\d{4}-\d\d-\d\d$/, isRequired: true },
  DELIB_MATIERE_CODE: { type: /^\d\.\d{1,2}$/, isRequired: true },
  DELIB_MATIERE_NOM: { type: /./, isRequired: true },
  DELIB_OBJET: { type: /./, isRequired: true },
  BUDGET_ANNEE: { type: /^\d{4}(\/\d{4})?$/ },
  BUDGET_NOM: { type: /./ },
  PREF_ID: { type: /./ },
  PREF_DATE: { type: /^\d{4}-\d\d-\d\d$/ },
  VOTE_EFFECTIF: { type: /^\d+$/ },
  VOTE_REEL: { type: /^\d+$/ },
  VOTE_POUR: { type: /^\d+$/ },
  VOTE_CONTRE: { type: /^\d+$/ },
  VOTE_ABSTENTION: { type: /^\d+$/ },
  DELIB_URL: { type: /^https?:\/\/\S+$/ },
}

const { url, db, acteur, commune } = await openWorld()
const hall = await acteur({ type: 'mairie', nom: 'Mairie, ville', valide: true, siret: '21860194600013' })
const place = await commune({ mairie_actor_id: hall.id })
const nameless = await acteur({ type: 'mairie', valide: true })
await commune({ mairie_actor_id: nameless.id })
const publish = (values: object, acteur_id = hall.id) =>
  insertPublished(db, { acteur_id, subject: '7.10', ...values })
const first = await publish({ title: 'Tarifs; "garderie", cantine', number: '2026-1' })
const second = await publish({ title: 'Sans numéro', subject: '1.5', supersedes: first.id })
await publish({ title: 'Secrète : d’une personne', individual: true })
await publish({ title: 'Secrète : sans matière', subject: null })
await publish({ title: 'Secrète : un arrêté', kind: 'arrete' })
await publish({ title: 'Secrète : sans SIRET' }, nameless.id)
await insertAct(db, { acteur_id: hall.id, title: 'Secrète : un brouillon', subject: '7.10' })
const removed = await publish({ title: 'Secrète : retirée' })
await occultAct(db, operator, { acteurId: hall.id, id: removed.id }, { reason: 'CNIL', now: new Date() })

const read = async () => (await fetch(`${url}/donnees/deliberations.csv`)).text()

function faultsOf(text: string): string[] {
  const [head = [], ...rows] = parse(text, { bom: true }) as string[][]
  const columns = Object.entries(schema)
  const wrong = rows.flatMap((row, line) =>
    columns.flatMap(([name, { type, isRequired }], at) => {
      const value = row[at] ?? ''
      const isValid = value === '' ? !isRequired : type.test(value)
      return isValid ? [] : `${line + 1}: ${name}: ${value}`
    }),
  )
  return head.join() === Object.keys(schema).join() ? wrong : [`columns: ${head.join()}`, ...wrong]
}

test('deliberations are valid after the schema of SCDL, and only those that have what it demands', async () => {
  const text = await read()
  expect(faultsOf(text)).toEqual([])
  const [one, other] = parse(text, { bom: true, columns: true }) as Record<string, string>[]
  expect(one).toMatchObject({
    ...{
      COLL_NOM: 'Mairie, ville',
      COLL_SIRET: '21860194600013',
      DELIB_ID: '2026-1',
      DELIB_DATE: '2026-03-03',
    },
    ...{ DELIB_MATIERE_CODE: '7.10', DELIB_MATIERE_NOM: 'finances locales/divers' },
    ...{ DELIB_OBJET: 'Tarifs; "garderie", cantine', VOTE_POUR: '' },
    DELIB_URL: `http://localhost:3000/actes/${first.id}-tarifs-garderie-cantine`,
  })
  expect(other).toMatchObject({ DELIB_ID: second.id, DELIB_MATIERE_CODE: '1.5' })
  expect(text).not.toContain('Secrète')
  expect((await fetch(`${url}/actes/${first.id}-tarifs-garderie-cantine`)).status).toBe(200)
})

test('the check finds what is wrong', () => {
  const head = Object.keys(schema).join()
  expect(faultsOf('A,B')).toHaveLength(1)
  expect(faultsOf(`${head}\nVille,123,1,2026-13,7,x,y,,,,,,,,,,`)).toEqual([
    ...['1: COLL_SIRET: 123', '1: DELIB_DATE: 2026-13', '1: DELIB_MATIERE_CODE: 7'],
  ])
})

test('names of subjects have both levels, in small letters, without commas and brackets', () => {
  for (const code of subjectCodes) {
    const name = nameOfSubject(code)
    expect(name).toMatch(/^[^,()/]+\/[^,()]+$/)
    expect(name).toBe(name.toLowerCase())
  }
  expect(nameOfSubject('1.5')).toBe('commande publique/transactions protocole d’accord transactionnel')
})

test('restricted to a commune, the site gives the deliberations of others to nobody', async () => {
  const restrict = (commune_ids: string[] | null) =>
    db.updateTable('app_sources').set({ commune_ids }).where('code', '=', 'site').execute()
  await restrict([(await commune()).id])
  try {
    await expect.poll(read).not.toContain('Tarifs')
    await restrict([place.id])
    await expect.poll(read).toContain('Tarifs')
  } finally {
    await restrict(null)
  }
})
