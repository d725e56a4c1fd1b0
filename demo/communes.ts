import { loadAddresses } from '../src/loaders/addresses/load.ts'
import { readGeoFile } from '../src/loaders/communes/geo-file.ts'
import { updateCommunes } from '../src/loaders/communes/queries.ts'
import { loadElus } from '../src/loaders/elus/load.ts'
import { loadMairies } from '../src/loaders/mairies/load.ts'
import { createRun } from '../src/loaders/run.ts'
import { updateCommune } from '../src/modules/communes/editing/queries.ts'
import type { CommuneUpdate } from '../src/modules/communes/editing/schema.ts'
import { getLists, replaceLists, rowsOf } from '../src/modules/communes/editing/sub-lists.ts'
import { listSecteurRows, updateSecteur } from '../src/modules/communes/secteurs/queries.ts'
import { streetOf } from '../src/modules/communes/secteurs/streets.ts'
import type { Database } from '../src/platform/database/connect.ts'
import { raise } from '../src/platform/errors.ts'
import { mapCommuneIds, openData, readData } from './data.ts'
import { insertDemoPicture } from './pictures.ts'

/** Updates thirty-odd communes: métropoles, villages, overseas and Corsica, namesakes, a one-letter name. */
export async function insertDemoCommunes(db: Database, pictures: string, now: Date): Promise<void> {
  // The communes exist already, so this avoids a comparison of the whole register.
  const { communes } = await readGeoFile(openData('communes/communes.json'), createRun())
  await updateCommunes(db, communes)
  await loadMairies(db, openData('communes/mairies.json'), createRun())
  await loadElus(db, openData('communes/elus.csv'), createRun())
  await loadAddresses(db, openData('communes/adresses.csv'), createRun())
  await writeParts(db, pictures, now)
}

type ByCode<T> = Record<string, T>

/** Paris and Lyon have sent the portraits of their maires; other towns give the address of one. */
const portrayed = ['75056', '69123']

/** Writes data without a public source: collectes, infos, photos of maires, and pictures of their towns. */
async function writeParts(db: Database, pictures: string, now: Date): Promise<void> {
  const collectes = await readData<ByCode<CommuneUpdate['collectes']>>('communes/collectes.json')
  const infos = await readData<ByCode<CommuneUpdate['infos']>>('communes/infos.json')
  const streets = await readData<ByCode<Record<string, string[]>>>('communes/secteurs.json')
  const pictured = await readData<string[]>('communes/photos.json')
  const codes = [...new Set([...Object.keys({ ...collectes, ...infos }), ...pictured])]
  for (const [code, id] of await mapCommuneIds(db, codes)) {
    const before = pictured.includes(code) ? await getLists(db, id) : nothing
    const [maire, ...others] = before.elus
    const of = { acteur_id: null, created_at: now }
    const portrait = portrayed.includes(code)
      ? { photo: await insertDemoPicture(db, { name: 'portrait', ...of }) }
      : { photo_url: `${pictures}/portrait.svg` }
    const elus = maire && [{ ...maire, ...portrait }, ...others]
    const given = { elus, collectes: collectes[code], infos: infos[code] }
    await replaceLists(db, id, rowsOf(given), before)
    await writeStreets(db, id, streets[code] ?? {})
    if (!pictured.includes(code)) continue
    const blason = await insertDemoPicture(db, { name: 'blason', ...of })
    const photo = await insertDemoPicture(db, { name: 'mairie', ...of })
    await updateCommune(db, id, { blason, photo })
  }
}

/** Writes the streets of secteurs, by the name of each. */
async function writeStreets(db: Database, communeId: string, streets: Record<string, string[]>) {
  for (const secteur of await listSecteurRows(db, communeId)) {
    const rues = (streets[secteur.nom] ?? []).map((line) => streetOf(line) ?? raise(new Error(line)))
    if (rues.length > 0) await updateSecteur(db, { ...secteur, rues })
  }
}

const nothing = { elus: [], collectes: [], infos: [] }
