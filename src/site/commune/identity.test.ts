import { expect, test } from 'vitest'
import { openMairie } from '../../../test/support/mairies.ts'
import { openWorld } from '../../../test/support/world.ts'
import { insertPublication } from '../../modules/publications/publications.test-kit.ts'

const world = await openWorld()
const { url, get } = world
const { commune, secretary, writer } = await openMairie(world)
const other = await world.commune({ nom: 'Barby', slug: 'barby' })
await insertPublication(world, { slug: 'fete', title: 'Fête', commune_id: commune.id })
const at = `/communes/${commune.slug}`
const put = (values: object) => secretary.patch(`/mairie/communes/${commune.id}`, values)
const open = async (path: string) => (await fetch(`${url}${path}`)).text()
const colorsIn = (page: string) => /<link rel="stylesheet" href="(\/site\/couleur-[^"]+)">/.exec(page)?.[1]

const countryColor = expect.stringMatching(/^\/site\/couleur-[0-9a-f]{6}-[\w-]{20}\.css$/)

test('a mairie sets its name as it is written and its colour, which every page of the commune shows', async () => {
  expect(colorsIn(await open(at))).toEqual(countryColor)
  const { status, body } = await put({ nom_affiche: 'Ville de Chambéry', couleur: '#ffcc00' })
  expect(status).toBe(200)
  expect(body.data).toMatchObject({ nom_affiche: 'Ville de Chambéry', couleur: '#ffcc00' })
  for (const path of [at, `${at}/agenda`, `${at}/agenda?embed=1`, `${at}/ecran`, '/publications/fete']) {
    const page = await open(path)
    expect(colorsIn(page), path).toMatch(/^\/site\/couleur-ffcc00-[\w-]{20}\.css$/)
    expect(page).toContain('<meta name="theme-color" content="#ffcc00">')
    expect(page).toContain('<meta property="og:site_name" content="Ville de Chambéry">')
  }
  const home = await open(at)
  expect(home).toContain('<h1>Ville de Chambéry</h1>')
  expect(home).toContain('<meta property="og:title" content="Ville de Chambéry">')
  expect((await get(at)).body.data).toMatchObject({ nom: commune.nom, couleur: '#ffcc00' })
  expect(colorsIn(await open('/'))).toBeUndefined()
  expect(colorsIn(await open(`/communes/${other.slug}`))).not.toContain('ffcc00')
  await put({ nom_affiche: null, couleur: null })
  expect(colorsIn(await open(at))).toEqual(countryColor)
})

test('the stylesheet of a colour is made from it alone, cached for ever, and readable', async () => {
  await put({ couleur: '#ffcc00' })
  const path = colorsIn(await open(at)) ?? ''
  const answer = await fetch(`${url}${path}`)
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(answer.headers.get('content-type')).toBe('text/css; charset=utf-8')
  expect(await answer.text()).toMatch(
    /^:root\{--deep:#[0-9a-f]{6};(--[a-z-]+:#[0-9a-f]{6};?)+\}@media \(prefers-color-scheme:dark\)\{:root\{[^}]+\}\}\n$/,
  )
  for (const name of ['couleur-ffcc00-x.css', 'couleur-ffcc0-x.css', 'couleur-FFCC00.css'])
    expect((await fetch(`${url}/site/${name}`)).status).toBe(404)
})

test('returns 422 for what is no colour or an empty name, and 403 to who does not manage the commune', async () => {
  for (const couleur of ['red', '#FFCC00', '#fc0', '#ffcc00;}', ''])
    expect(await put({ couleur })).toBeError(422, 'validation_failed')
  for (const nom_affiche of ['', ' ', 'a\nb', 'x'.repeat(201)])
    expect(await put({ nom_affiche })).toBeError(422, 'validation_failed')
  expect(await writer.patch(`/mairie/communes/${commune.id}`, { couleur: '#000000' })).toBeError(
    403,
    'forbidden',
  )
})

test('the search finds a commune by its official name, not by what it shows', async () => {
  await put({ nom_affiche: 'Cité des Ducs' })
  expect((await get('/communes?q=ducs')).body.data).toEqual([])
  expect((await get(`/communes?q=${encodeURIComponent(commune.nom)}`)).body.data).toMatchObject([
    { id: commune.id, nom: commune.nom },
  ])
  const admin = await world.as('admin')
  const made = { nom: 'Aime', code_insee: '73006', region: '84', couleur: '#123456' }
  expect((await admin.post('/admin/communes', made)).body.data).toMatchObject({
    couleur: '#123456',
    nom_affiche: null,
  })
})
