import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { insertPublication } from './publications.test-kit.ts'

const world = await openWorld()
const { get } = world

/** Whether the public list finds a text by what is asked. */
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
  ['Fontenay-sous-Bois', 'fontenay-sous-bo'],
  ['Saint-Jean-de-Maurienne', 'saint-jean-de-mau'],
  ['Rendez-vous.Demain', 'demain'],
  ['<p><strong>L</strong>e mar<em>ché</em></p><p>aux</p><ul><li>puces</li></ul>', 'marche puces'],
  ['Les chevaux galopent', 'cheval'],
  ['Fête🎉demain', 'fete demain'],
  ['½ tarif', '½'],
  ['Добро пожаловать', 'добро'],
])('a text finds itself whatever its typography: %s by %s', async (body, q) => {
  expect(await finds(body, q)).toBe(true)
})

test('entities and tags are no words', async () => {
  const body = '<p>pain &amp; vin</p>'
  expect(await finds(body, 'amp')).toBe(false)
  expect(await finds(body, 'strong')).toBe(false)
  expect(await finds(body, 'pain vin')).toBe(true)
})

test.each(["a' | 'b", '!zorro', 'a & b:*', '\\', '(', '<->', '½ & ¼', 'a'.repeat(200), '🎉', "l'"])(
  'what means something to PostgreSQL is but text: %s',
  async (q) => {
    expect((await get(`/publications?q=${encodeURIComponent(q)}`)).status).toBe(200)
  },
)
