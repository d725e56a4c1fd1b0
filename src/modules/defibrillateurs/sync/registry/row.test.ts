import { expect, test } from 'vitest'
import { cpuMsOf } from '../../../../../test/support/cpu.ts'
import { device } from '../registry.test-kit.ts'
import { createTally } from '../tally.ts'
import { type RegistryRow, readRegistryRow } from './row.ts'

function read(given: Record<string, string>) {
  const tally = createTally()
  const row = readRegistryRow((column) => device(1, given)[column] ?? '', tally)
  return { row, ...tally.counts }
}

test('reads a current row completely', () => {
  const { row, cleaned } = read({ c_lat_coor1: '45.61', cc_photo1: 'https://photos.example/1.jpg' })
  expect(cleaned).toEqual({})
  expect(row).toEqual({
    gid: '1',
    nom: 'Mairie',
    adresse: '1 Place de la Mairie',
    code_postal: '42000',
    commune_nom: 'Saint-Étienne',
    commune_key: 'saint etienne',
    registre_code: '42218',
    latitude: 45.61,
    longitude: 4.05,
    acces: 'Extérieur',
    acces_libre: true,
    etage: '0',
    acces_complement: 'Entrée principale',
    disponibilite: '24/7',
    disponibilite_complement: null,
    etat_fonctionnement: 'En fonctionnement',
    photo_url: 'https://photos.example/1.jpg',
    date_installation: '2019-11-18',
    mis_a_jour_le: '2023-04-11T19:30:44.302Z',
    retenu: true,
  })
})

test.each<[string, Record<string, string>, Partial<RegistryRow>, string | null]>([
  [
    '(0, 0)',
    { c_lat_coor1: '0', c_long_coor1: '0.0' },
    { latitude: null, longitude: null },
    'zero_coordinates',
  ],
  ['off the globe', { c_lat_coor1: '145' }, { latitude: null, longitude: null }, 'impossible_coordinates'],
  [
    'far from France',
    { c_lat_coor1: '52.5', c_long_coor1: '13.4' },
    { latitude: null },
    'impossible_coordinates',
  ],
  [
    'turned about',
    { c_lat_coor1: '4.05', c_long_coor1: '45.61' },
    { latitude: null },
    'impossible_coordinates',
  ],
  ['half a point', { c_long_coor1: '' }, { latitude: null, longitude: null }, 'impossible_coordinates'],
  ['no number', { c_lat_coor1: 'NaN' }, { latitude: null }, 'impossible_coordinates'],
  ['a comma', { c_lat_coor1: '45,61' }, { latitude: 45.61 }, null],
  ['overseas', { c_lat_coor1: '-20.9', c_long_coor1: '55.5' }, { latitude: -20.9, longitude: 55.5 }, null],
  ['no point', { c_lat_coor1: '', c_long_coor1: '' }, { latitude: null, longitude: null }, null],
  ['a sentinel', { c_date_instal: '2000-01-01' }, { date_installation: null }, 'sentinel_date'],
  ['no day', { c_date_instal: '2019-02-30' }, { date_installation: null }, 'impossible_date'],
  ['before there were any', { c_date_instal: '1019-02-03' }, { date_installation: null }, 'impossible_date'],
  ['to come', { c_date_instal: '2099-01-01' }, { date_installation: null }, 'impossible_date'],
  [
    'a moment in the future',
    { c__edit_datemaj: '9999-12-31 00:00:00' },
    { mis_a_jour_le: null },
    'impossible_date',
  ],
  ['no moment', { c__edit_datemaj: 'hier' }, { mis_a_jour_le: null }, 'impossible_date'],
  ['a day alone', { c__edit_datemaj: '2026-03-11' }, { mis_a_jour_le: '2026-03-11T00:00:00.000Z' }, null],
  [
    'a telephone',
    { c_acc_complt: 'Gardien 06 39 98 12 34.' },
    { acces_complement: 'Gardien [masqué].' },
    'contact_masked',
  ],
  [
    'a period and a telephone',
    { c_acc_complt: 'Fermé 01/07/2026-31/08/2026 06 39 98 12 34' },
    { acces_complement: 'Fermé 01/07/2026-31/08/2026 [masqué]' },
    'contact_masked',
  ],
  [
    'a period',
    { c_disp_complt: '31.08.2026 01.09.2026' },
    { disponibilite_complement: '31.08.2026 01.09.2026' },
    null,
  ],
  ['with dots', { c_acc_complt: 'au 04.65.71.00.00' }, { acces_complement: 'au [masqué]' }, 'contact_masked'],
  [
    'of abroad',
    { c_acc_complt: 'tel:+33 (0)6 39 98 12 34' },
    { acces_complement: 'tel:[masqué]' },
    'contact_masked',
  ],
  ['overseas', { c_acc_complt: '+262 262 12 34 56' }, { acces_complement: '[masqué]' }, 'contact_masked'],
  [
    'an address',
    { c_disp_complt: 'jean.dupont@mairie.example' },
    { disponibilite_complement: '[masqué]' },
    'contact_masked',
  ],
  [
    'a number that is none',
    { c_acc_complt: 'SIREN 213 100 555' },
    { acces_complement: 'SIREN 213 100 555' },
    null,
  ],
  ['markup', { c_nom: '<b>Gare</b> &amp; <a href="x">quai' }, { nom: 'Gare & quai' }, 'html_stripped'],
  ['a script', { c_nom: 'Gare<script>alert(1)</script>' }, { nom: 'Gare' }, 'html_stripped'],
  ['hidden markup', { c_nom: '&lt;img src=x onerror=1&gt;Gare' }, { nom: 'Gare' }, 'html_stripped'],
  ['a comparison', { c_acc_complt: 'si 3 < 5' }, { acces_complement: 'si 3 < 5' }, null],
  ['lines', { c_nom: 'Gare\n de\0 Lyon' }, { nom: 'Gare de Lyon' }, null],
  ['what is no text', { c_nom: 'Ga\u{FFFD}re' }, { nom: 'Gare' }, null],
  ['much', { c_nom: 'x'.repeat(500) }, { nom: 'x'.repeat(200) }, 'text_cut'],
  [
    'a turned reading direction',
    { c_nom: 'Gare \u202Enoitatser\u202C \u2066de\u2069 Lyon\u200F', c_acc_complt: 'hall&#8238;ouest' },
    { nom: 'Gare noitatser de Lyon', acces_complement: 'hallouest' },
    'html_stripped',
  ],
  [
    'a contact behind invisible characters',
    { c_acc_complt: 'jean\u202E.dupont\u200E@mairie.example' },
    { acces_complement: '[masqué]' },
    'contact_masked',
  ],
  [
    'a photo that reads backwards',
    { cc_photo1: 'https://photos.example/\u202Egpj.exe' },
    { photo_url: null },
    'bad_photo',
  ],
  ['no photo', { cc_photo1: 'javascript:alert(1)' }, { photo_url: null }, 'bad_photo'],
  ['no code', { c_com_insee: 'Lyon' }, { registre_code: null }, 'bad_insee_code'],
  [
    'a lost zero',
    { c_com_insee: '1034', c_com_cp: '1300' },
    { registre_code: '01034', code_postal: '01300' },
    null,
  ],
  ['Corsica', { c_com_insee: '2a004' }, { registre_code: '2A004' }, null],
  [
    'a condition',
    { c_etat_fonct: 'Cassé' },
    { etat_fonctionnement: 'Inconnu', retenu: false },
    'unknown_condition',
  ],
  ['an access', { c_acc: 'Autre' }, { acces: null }, null],
  ['an arrondissement', { c_com_nom: 'PARIS 15E ARRONDISSEMENT' }, { commune_key: 'paris' }, null],
  ['CEDEX', { c_com_nom: 'ST ETIENNE CEDEX 1' }, { commune_key: 'saint etienne' }, null],
])('what is wrong with a value costs the value: %s', (_name, given, expected, reason) => {
  const { row, cleaned, refused } = read(given)
  expect(row).toMatchObject(expected)
  expect(cleaned).toEqual(reason === null ? {} : { [reason]: 1 })
  expect(refused).toEqual({})
})

test.each([
  ['no_identifier', { c_gid: ' ' }],
  ['bad_identifier', { c_gid: '1 or 2' }],
])('refuses a row without an identifier: %s', (reason, given) => {
  expect(read(given)).toMatchObject({ row: null, refused: { [reason]: 1 } })
})

test.each<[Record<string, string>, boolean]>([
  [{}, true],
  [{ c_etat: '' }, true],
  [{ c_etat: 'A supprimer' }, false],
  [{ c_etat_valid: 'en attente de validation' }, false],
  [{ c_etat_valid: '' }, false],
  [{ c_etat_fonct: 'Hors service' }, false],
  [{ c_etat_fonct: '' }, false],
  [{ c_doublon: 't' }, false],
  [{ c_doublon: '' }, true],
  [{ c_dae_mobile: 't' }, false],
])('the usual selection: %j', (given, retenu) => {
  expect(read(given).row?.retenu).toBe(retenu)
})

test.each<[string, string, string, string | null]>([
  ['Mo-Fr 08:00-18:00', '', '', 'Mo-Fr 08:00-18:00'],
  ['Mo-Su off', '', '', null],
  ['', '{7j/7}', '{24h/24}', '24/7'],
  ['', '{lundi,mardi,"jours fériés"}', '{"24h/24"}', 'Mo,Tu,PH 00:00-24:00'],
  ['', '{lundi,mardi}', '{"heures ouvrables"}', 'lundi, mardi : heures ouvrables'],
  ['', '{7j/7}', '{"24h/24","heures de nuit"}', '7j/7 : 24h/24, heures de nuit'],
  ['', '{}', '{24h/24}', '24h/24'],
  ['', '{événements}', '{24h/24}', 'événements : 24h/24'],
  ['', '', '', null],
])('hours of either generation: %j %j %j', (c_dispo_horaires, c_disp_j, c_disp_h, disponibilite) => {
  expect(read({ c_dispo_horaires, c_disp_j, c_disp_h }).row?.disponibilite).toBe(disponibilite)
})

// Took 49 seconds before texts were truncated ahead of the pattern match.
test.each([
  ['letters and a bracket', `${'a'.repeat(120_000)}<`],
  ['tags without an end', '<script '.repeat(15_000)],
  ['comments without an end', '<!-- '.repeat(24_000)],
  ['addresses that are none', 'a@'.repeat(60_000)],
  ['references', '&amp;'.repeat(24_000)],
  ['digits', '1 '.repeat(60_000)],
  ['spaces', `a${' '.repeat(120_000)}b`],
])('a row with 120 000 characters in each text is read quickly: %s', (_what, hostile) => {
  const texts = [
    'c_nom',
    'c_adr_num',
    'c_adr_voie',
    'c_com_nom',
    'c_acc_etg',
    'c_acc_complt',
    'c_disp_complt',
  ]
  const others = [
    'c_dispo_horaires',
    'c_disp_j',
    'c_disp_h',
    'c_com_cp',
    'c_com_insee',
    'cc_photo1',
    'c_etat',
    'c_acc',
  ]
  const given = Object.fromEntries([...texts, ...others].map((column) => [column, hostile]))
  let row: RegistryRow | null = null
  expect(
    cpuMsOf(() => {
      row = read(given).row
    }),
  ).toBeLessThan(500)
  expect(row).toMatchObject({ gid: '1' })
})

test('a text truncated before cleaning keeps no partial address', () => {
  for (let at = 1_160; at < 1_200; at++) {
    const c_nom = `${'<i></i>'.repeat(200).slice(0, at)} jean.dupont@mairie.example, hall`
    expect(read({ c_nom }).row?.nom ?? '').not.toMatch(/jean|dupont/)
  }
})
