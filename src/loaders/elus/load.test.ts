import { expect, test } from 'vitest'
import { factories } from '../../../test/support/factories.ts'
import { cloneDatabase } from '../../../test/support/world.ts'
import { bytes, loaded, openLoadWorld } from '../load.test-kit.ts'
import { createRun } from '../run.ts'
import { properName } from './council.ts'
import { loadElus } from './load.ts'

const { db, rows, state } = openLoadWorld(await cloneDatabase())
const { commune } = factories(db)
const load = (content: string | Buffer) => loaded(loadElus, db, content)
const version = async (id: string) =>
  (await rows(`select version from communes where id = '${id}'`))[0].version
const council = async (communeId: string) =>
  rows(`select id, nom, prenom, fonction, ordre, photo_url, mandat_debut from elus
    where commune_id = '${communeId}' order by ordre, id`)
const names = async (communeId: string) =>
  (await council(communeId)).map(({ nom, prenom, fonction }) => `${prenom} ${nom}, ${fonction}`)

const header =
  "Code du département;Libellé du département;Code de la collectivité à statut particulier;Libellé de la collectivité à statut particulier;Code de la commune;Libellé de la commune;Nom de l'élu;Prénom de l'élu;Code sexe;Date de naissance;Code de la catégorie socio-professionnelle;Libellé de la catégorie socio-professionnelle;Date de début du mandat;Libellé de la fonction;Date de début de la fonction;Code nationalité"
const birth = '14/07/1959'

/** A row in RNE format from "code;NOM;Prénom;sexe;fonction;mandat". */
function elu(line: string): string {
  const [code, nom, prenom, sexe, fonction = '', mandat = '18/05/2020'] = line.split(';')
  const left = `01;Ain;;;${code};Une commune;${nom};${prenom};${sexe};${birth};23;Chef d'entreprise`
  return `${left};${mandat};${fonction};${fonction && '25/05/2020'};FR`
}
const file = (...lines: string[]) => [header, ...lines.map(elu), ''].join('\r\n')

test('creates a council in order, each person once with the highest function; a second run writes nothing', async () => {
  const { id } = await commune({ code_insee: '01001' })
  const content = file(
    '01001;ZOLA;Anne;F',
    '01001;LE FLOC’H;Jean-Pierre;M;2ème adjoint au Maire',
    '01001;DE LA TOUR;MARIE-ÈVE;F',
    '01001;DE LA TOUR;MARIE-ÈVE;F;Maire;2026-03-20',
    '01001;ABBÉ;Luc;M;;',
    '01001;DUPONT-D’AURE;Zoé;F;Maire délégué',
    '01001;DUPONT-D’AURE;Zoé;F;1er adjoint au Maire',
  )
  expect(await load(`\uFEFF${content}`)).toEqual({ read: 7, created: 5 })
  expect(await council(id)).toMatchObject([
    { nom: 'de La Tour', prenom: 'Marie-Ève', fonction: 'Maire', ordre: 1, mandat_debut: '2026-03-20' },
    { nom: 'Dupont-d’Aure', prenom: 'Zoé', fonction: '1er adjoint au Maire', ordre: 2 },
    { nom: 'Le Floc’h', prenom: 'Jean-Pierre', fonction: '2ème adjoint au Maire', ordre: 3 },
    { nom: 'Abbé', prenom: 'Luc', fonction: 'Conseiller municipal', ordre: 4, mandat_debut: null },
    { nom: 'Zola', prenom: 'Anne', fonction: 'Conseillère municipale', ordre: 5, mandat_debut: '2020-05-18' },
  ])
  expect(await version(id)).toBe(2)
  const before = [await state('elus'), await state('communes')]
  expect(await load(content)).toEqual({ read: 7, unchanged: 5 })
  expect([await state('elus'), await state('communes')]).toEqual(before)
})

test('adjoints are ordered by number, in digits or words, before those without one', async () => {
  const { id } = await commune({ code_insee: '01009' })
  const functions = [
    'Adjointe au Maire',
    'Troisième adjointe, déléguée à l’école',
    'Conseiller municipal délégué',
    '4ème adjoint au Maire',
    'Deuxième adjoint',
    'Première adjointe',
  ]
  await load(file(...functions.map((fonction, index) => `01009;NOM ${index};Luc;M;${fonction}`)))
  expect((await council(id)).map(({ fonction }) => fonction)).toEqual([
    'Première adjointe',
    'Deuxième adjoint',
    'Troisième adjointe, déléguée à l’école',
    '4ème adjoint au Maire',
    'Adjointe au Maire',
    'Conseiller municipal délégué',
  ])
})

test('names and functions become one line, whatever line breaks the file has', async () => {
  const { id } = await commune({ code_insee: '01011' })
  await load(file('01011;"DE LA\nTOUR";Marie\u00a0 Ève;F;"Adjointe\tau\r\nmaire"'))
  expect(await names(id)).toEqual(['Marie Ève de La Tour, Adjointe au maire'])
})

test('a changed council keeps ids, photos and spellings of those who stay, and increments the version once', async () => {
  const { id } = await commune({ code_insee: '01002' })
  const { id: other } = await commune({ code_insee: '01003' })
  await load(file('01002;LEFEVRE;Odile;F;Maire', '01002;PETIT;Jean;M', '01003;SEUL;Paul;M;Maire'))
  await rows(
    `update elus set nom = 'Lefèvre', photo_url = 'https://mairie.example/odile.jpg' where nom = 'Lefevre'`,
  )
  const [odile] = await council(id)
  const counts = await load(file('01002;LEFEVRE;Odile;F;1er adjoint au Maire', '01002;GRAND;Ève;F;Maire'))
  expect(counts).toEqual({ read: 2, created: 1, updated: 1, removed: 1 })
  expect(await council(id)).toMatchObject([
    { nom: 'Grand', fonction: 'Maire', ordre: 1 },
    { ...odile, nom: 'Lefèvre', fonction: '1er adjoint au Maire', ordre: 2 },
  ])
  expect([await version(id), await version(other)]).toEqual([3, 2])
  expect(await names(other)).toEqual(['Paul Seul, Maire'])
})

test('codes of arrondissements and former communes lead to the present one, anywhere in the file', async () => {
  const { id } = await commune({ code_insee: '01015' })
  await rows(`insert into commune_aliases values ('01340', '${id}', 'Saint-Bois', 'deleguee')`)
  await commune({ code_insee: '01016' })
  const content = file('01340;BOIS;Ève;F', '01016;AUTRE;Luc;M;Maire', '1015;ARBOYS;Guy;M;Maire')
  expect(await load(content)).toEqual({ read: 3, created: 3 })
  expect(await names(id)).toEqual(['Guy Arboys, Maire', 'Ève Bois, Conseillère municipale'])
  expect(await load(content)).toEqual({ read: 3, unchanged: 3 })
})

test('the file of maires, without a column for the function, leaves the rest of the council', async () => {
  const { id } = await commune({ code_insee: '01020' })
  await load(file('01020;ANCIEN;Luc;M;Maire', '01020;NEUF;Ève;F;1er adjoint au Maire', '01020;AUTRE;Guy;M'))
  const maires = [
    "Code du département;Libellé du département;Code de la commune;Libellé de la commune;Nom de l'élu;Prénom de l'élu;Code sexe;Date de naissance;Date de début du mandat;Date de début de la fonction",
    `01;Ain;01020;Une commune;NEUF;Ève;F;${birth};2026-03-20;2026-03-27`,
  ].join('\n')
  expect(await load(maires)).toEqual({ read: 1, updated: 2, removed: 1 })
  expect(await names(id)).toEqual(['Ève Neuf, Maire', 'Guy Autre, Conseiller municipal'])
  expect(await load(maires)).toEqual({ read: 1, unchanged: 2 })
})

test('refuses invalid rows with line and reason; a council with one of them loses no member', async () => {
  const { id } = await commune({ code_insee: '01030' })
  await load(file('01030;BON;Luc;M;Maire', '01030;RESTE;Ève;F', '01030;AUSSI;Guy;M'))
  const content = [
    header,
    elu('01030;BON;Luc;M;Maire'),
    elu('01030;RESTE;;F'),
    elu('99999;NULLE;Part;F'),
    elu(';SANS;Code;F'),
    elu('01030;DATE;Fausse;F;;31/02/2020'),
    `${elu('01030;COURT;Rang;F')};de trop`,
    `x;x;x;x;${birth};Décalée;A;B;F;x;x;x;2020-05-18;;;FR`,
    elu('01030;NOUVEAU;Max;M'),
  ].join('\n')
  expect(await load(content)).toEqual({
    read: 8,
    created: 1,
    updated: 2,
    unchanged: 1,
    refused: 6,
    refusals: [
      { where: 'line 3', reason: 'a name is missing, in 01030' },
      { where: 'line 4', reason: 'no commune has the code 99999' },
      { where: 'line 5', reason: 'the code of the commune is missing' },
      { where: 'line 6', reason: '"Date de début du mandat" is not a date, in 01030' },
      { where: 'line 7', reason: 'it has not as many fields as the header' },
      { where: 'line 8', reason: 'no commune has its code' },
    ],
  })
  expect(await names(id)).toHaveLength(4)
})

test('a file that ends within a row removes no member from that council', async () => {
  const { id } = await commune({ code_insee: '01035' })
  const whole = file('01035;UN;Luc;M;Maire', '01035;DEUX;Ève;F', '01035;TROIS;Guy;M')
  await load(whole)
  const cutBeforeCode = whole.slice(0, whole.lastIndexOf('01035') - 1)
  expect(await load(cutBeforeCode)).toMatchObject({ read: 3, unchanged: 3, refused: 1 })
  expect(await names(id)).toHaveLength(3)
})

test('refuses a row with text that cannot be stored and loads the others', async () => {
  const { id } = await commune({ code_insee: '01036' })
  const rest = [
    elu('01036;NU\0L;Luc;M'),
    elu('01036;BON;Ève;F;Maire').replace('Une commune', 'Une \0commune'),
  ]
  const latin = Buffer.from(elu('01036;BÉRARD;Hélène;F'), 'latin1')
  const good = elu(`01036;TOUT;Bon;M;${'x'.repeat(199)}🌳`)
  const lines = [Buffer.from([header, ...rest, ''].join('\n')), latin, Buffer.from(`\n${good}\n`)]
  expect(await load(Buffer.concat(lines))).toEqual({
    read: 4,
    created: 1,
    refused: 3,
    refusals: [
      { where: 'line 2', reason: 'field 7 holds a NUL character' },
      { where: 'line 3', reason: 'field 6 holds a NUL character' },
      { where: 'line 4', reason: 'field 7 holds a character that was not UTF-8 (U+FFFD)' },
    ],
  })
  expect(await names(id)).toEqual([`Bon Tout, ${'x'.repeat(199)}`])
})

test('a row with a damaged name or code removes no member from its council', async () => {
  const { id } = await commune({ code_insee: '01037' })
  const whole = file('01037;UN;Luc;M;Maire', '01037;DEUX;Ève;F', '01037;TROIS;Guy;M')
  await load(whole)
  const named = whole.replace('DEUX', 'DE\0UX')
  const coded = whole.replace('01037;Une commune;DEUX', '01\u{FFFD}37;Une commune;DEUX')
  for (const damaged of [named, coded]) {
    expect(await load(damaged)).toMatchObject({ read: 3, refused: 1 })
    expect(await names(id)).toHaveLength(3)
  }
})

test('refuses a file of another kind, or none, in one sentence', async () => {
  const without = header.replace('Libellé de la fonction;Date de début de la fonction;', '')
  await expect(load(`${without}\n`)).rejects.toThrow('lacks the column "Libellé de la fonction"')
  await expect(load('gid,c_nom\n1,DAE\n')).rejects.toThrow(
    'lacks the column "Code de la commune", "Nom de l\'élu"',
  )
  await expect(load(`Libellé du secteur;${header}\n`)).rejects.toThrow('councils of arrondissements')
  await expect(load(Buffer.from(file(), 'latin1'))).rejects.toThrow(
    'it must be a CSV of the RNE, separated by ; and in UTF-8.',
  )
  await expect(load('')).rejects.toThrow('The file is empty.')
  const unclosed = `${header}\n"01;${'x;'.repeat(40_000)}`
  await expect(load(unclosed)).rejects.toThrow('cannot be read as CSV from about line')
})

test('never stores or reports the birth date', async () => {
  const all = await rows(`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`)
  const dump: string[] = []
  // One after another: each opens a connection, and there are more tables than a server takes at once.
  for (const { name } of all)
    dump.push(...(await rows(`select to_jsonb(t)::text as row from ${name} t`)).map(({ row }) => row))
  expect(dump.length).toBeGreaterThan(20)
  expect(dump.filter((row) => /14.07.1959|1959.07.14|naissance/.test(row))).toEqual([])
})

test('an interrupted run leaves whole batches, and the same file completes it', async () => {
  const codes = Array.from({ length: 300 }, (_, n) => String(20_000 + n))
  for (const code_insee of codes) await commune({ code_insee })
  const people = codes.flatMap((code) =>
    Array.from({ length: 10 }, (_, n) => `${code};PERSONNE ${'ABCDEFGHIJ'[n]};Luc;M;${n ? '' : 'Maire'}`),
  )
  const stop = new AbortController()
  const cut = createRun({ signal: stop.signal, onStep: ({ created }) => created > 0 && stop.abort() })
  await expect(loadElus(db, bytes(file(...people), 65_536), cut)).rejects.toThrow('aborted')
  const sizes = `select count(*)::int as size from elus join communes on communes.id = commune_id
    where code_insee >= '20000' group by commune_id`
  const whole = await rows(sizes)
  expect(whole.length).toBeGreaterThan(90)
  expect(whole.length).toBeLessThan(300)
  expect(new Set(whole.map(({ size }) => size))).toEqual(new Set([10]))
  expect(await load(file(...people))).toMatchObject({ unchanged: whole.length * 10 })
  expect(await rows(sizes)).toHaveLength(300)
})

test.each([
  ["D'ARTAGNAN DE BATZ", "d'Artagnan de Batz"],
  ['DA SILVA', 'Da Silva'],
  ["N'GUYEN", "N'Guyen"],
  ['L’HÉRITIER', 'L’Héritier'],
  ["FA'AARI", "Fa'aari"],
  ['ÉTIENNE-ŒUVRARD', 'Étienne-Œuvrard'],
  ['LE GOFF', 'Le Goff'],
])('%s becomes %s', (capitals, proper) => {
  expect(properName(capitals)).toBe(proper)
})
