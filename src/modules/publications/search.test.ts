import { expect, test } from 'vitest'
import { fc, propertyRuns } from '../../../test/support/fast-check.ts'
import { openMairie } from '../../../test/support/mairies.ts'
import { openWorld } from '../../../test/support/world.ts'
import { insertPublication } from './publications.test-kit.ts'

const world = await openWorld()
const { get, pool } = world
const mairie = await openMairie(world)
const admin = await world.as('admin')

/** Returns whether the public list finds a text by a query. */
async function finds(body: string, q: string, title = 'Sans rapport'): Promise<boolean> {
  const { id } = await insertPublication(world, { title, body })
  const { body: found } = await get(`/publications?q=${encodeURIComponent(q)}&per_page=100`)
  return found.data.some((one: { id: string }) => one.id === id)
}

test.each([
  ['Une l’association', 'associatio'],
  ["L'Association", 'association'],
  ['<p>un chef-d’œuvre</p>', "chef-d'oeuvre"],
  ['<p>un chef-d’œuvre</p>', 'oeuvr'],
  ['d’Ouessant', 'ouessan'],
  ['«\u00a0Fantasia\u00a0»', 'fantasia'],
  ['“Zorglub”', 'zorglub'],
  ['«Fantaisie»', 'fantaisi'],
  ['Tarif\u00a0: dix\u00a0; kermesse', 'tarif kermesse'],
  ['Patatras… samedi–dimanche', 'patatras samedi'],
  ['samedi–dimanche', 'dimanche'],
  ['lorsqu’Hélène', 'helene'],
  ['parents/enfants, thé/café', 'cafe enfants'],
  ['La 3ème, Été2026 et Noël2026', '3eme ete2026 noel2026'],
  ['Aix-les-Bains', 'aix-les-bai'],
  ['Fontenay-sous-Bois', 'fontenay-sous-boi'],
  ['Saint-Jean-de-Maurienne', 'saint-jean-de-mau'],
  ['Rendez-vous.Demain', 'demain'],
  ['<p><strong>L</strong>e mar<em>ché</em></p><p>aux</p><ul><li>puces</li></ul>', 'marche puces'],
  ['Les chevaux galopent', 'cheval'],
  ['Fête🎉demain', 'fete demain'],
  ['½ tarif', '½'],
  ['Добро пожаловать', 'добро'],
  ['Une eau H₂O₂₀', 'h2o20'],
  ['Numéro ₂₀', '₂₀'],
  ['Le ﬁnancement', 'financ'],
  ['Ｆｏｉｒｅ № ２０', 'foire 20'],
  ['Louis Ⅻ', 'louis xii'],
  ['Cafe\u0301 cre\u0300me', 'café crème'],
])('finds a text regardless of typography: %s by %s', async (body, q) => {
  expect(await finds(body, q)).toBe(true)
})

test('entities and tags are not words', async () => {
  const body = '<p>pain &amp; vin</p>'
  expect(await finds(body, 'amp')).toBe(false)
  expect(await finds(body, 'strong')).toBe(false)
  expect(await finds(body, 'pain vin')).toBe(true)
})

test('matches prefixes of three letters or more, shorter ones only as whole words', async () => {
  const body = 'Le bonimenteur vend un os'
  for (const [q, found] of [
    ['bonimen', true],
    ['bon', true],
    ['bo', false],
    ['b', false],
    ['os', true],
    ['vend bo', false],
    ['vend bon', true],
  ] as const)
    expect([q, await finds(body, q)]).toEqual([q, found])
})

test.each([
  "a' | 'b",
  '!zorro',
  'a & b:*',
  '\\',
  '(',
  '<->',
  '½ & ¼',
  'a'.repeat(200),
  '🎉',
  "l'",
  '₂₀',
  '؟',
])('treats PostgreSQL search operators as plain text: %s', async (q) => {
  expect((await get(`/publications?q=${encodeURIComponent(q)}`)).status).toBe(200)
})

test('text without a word, as the database tokenises it, filters nothing', async () => {
  const { id } = await insertPublication(world, { title: 'Sans mots' })
  for (const q of ['', ' ', '🎉', '々', '\u2028', '-'])
    expect([q, (await get(`/publications?q=${encodeURIComponent(q)}`)).body.data[0].id]).toEqual([q, id])
})

const lists = [
  { caller: world, path: '/publications' },
  { caller: world, path: `/acteurs/${mairie.club.id}/publications` },
  { caller: world, path: `/communes/${mairie.commune.id}/publications` },
  { caller: mairie.owner, path: mairie.path },
  { caller: mairie.owner, path: '/me/publications' },
  { caller: admin, path: '/admin/publications' },
]
const odd = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }),
  fc.string({
    unit: fc.constantFrom(...`₂ⅻ½ﬁ™Ｆ'\\:*&|!()<>-"؟\u1680\u180e\u0085\u200b\u0301aé1 `),
    maxLength: 8,
  }),
)

test.each(lists)('$path responds to any query', async ({ caller, path }) => {
  await fc.assert(
    fc.asyncProperty(odd, async (q) => {
      const { status } = await caller.get(`${path}?q=${encodeURIComponent(q)}`)
      // Text that cannot be stored cannot be searched.
      expect(status).toBe(/[\0\ud800-\udfff]/u.test(q) ? 422 : 200)
    }),
    { numRuns: propertyRuns() },
  )
})

test('each character matches itself, or is a word in neither text nor search', async () => {
  // In batches, each well below the statement timeout.
  for (let first = 1; first < 65_536; first += 4_096) {
    // Without surrogates and NUL.
    const { rows } = await pool.query(
      `select number from generate_series($1::int, least($1 + 4095, 65535)) number
       where number not between 55296 and 57343
         and not coalesce(publication_search(chr(number), '') @@ publication_query(chr(number)), true)`,
      [first],
    )
    expect(rows).toEqual([])
  }
})
