import type { RequestListener } from 'node:http'
import { Readable } from 'node:stream'
import { randomOf } from '../data.ts'

/** Generates the national registry's CSV with `count` devices, identical each time. */
export const registryOf =
  (count: number): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' })
    Readable.from(inChunks(count)).pipe(response)
  }

const columns = [
  ...[
    'gid',
    'c_gid',
    'c_etat_valid',
    'c_nom',
    'c_lat_coor1',
    'c_long_coor1',
    'c_adr_num',
    'c_adr_voie',
    'c_com_cp',
  ],
  ...[
    'c_com_insee',
    'c_com_nom',
    'c_acc',
    'c_acc_lib',
    'c_acc_etg',
    'c_acc_complt',
    'c_date_instal',
    'c_etat_fonct',
  ],
  ...['c_maj_don', 'c_etat', 'c_doublon', 'c_dae_mobile', 'c__edit_datemaj', 'c_dispo_horaires', 'cc_photo1'],
]

function* inChunks(count: number): Generator<string> {
  const random = randomOf(17)
  let chunk = `${columns.join(';')}\n`
  for (let n = 1; n <= count; n++) {
    const near = () => (random() + random() - 1) * 4
    const [lat, lon] = [46.5 + near(), 2.5 + near()]
    const place = names[n % names.length]
    const hours = n % 5 === 0 ? '24/7' : 'Mo-Su off'
    const code = `${38_001 + (n % 500)}`
    chunk +=
      `${n};${n};validées;${place} ${n};${lat.toFixed(6)};${lon.toFixed(6)};${n % 90};rue de la République;38000;${code};Commune ${n % 500};` +
      `Extérieur;t;0;Entrée principale;2021-05-04;En fonctionnement;2025-01-01;Actif;f;f;2026-01-11 14:19:09.835872;${hours};\n`
    if (chunk.length < 60_000) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}

const names = [
  'Mairie',
  'Gymnase',
  'École',
  'Salle des fêtes',
  'Pharmacie',
  'Piscine',
  'Stade',
  'Médiathèque',
]
