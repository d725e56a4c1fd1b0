import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { openCluster, removeCluster } from '../src/embedded-postgres/cluster/cluster.ts'
import { loadCommunes } from '../src/loaders/communes/load.ts'
import { createRun } from '../src/loaders/run.ts'
import { countPublic, listPublic } from '../src/modules/defibrillateurs/catalogue/queries.ts'
import { loadFile } from '../src/modules/defibrillateurs/sync/file.ts'
import { readRegistry } from '../src/modules/defibrillateurs/sync/registry/csv.ts'
import { columns, csv, device } from '../src/modules/defibrillateurs/sync/registry.test-kit.ts'
import { createTally } from '../src/modules/defibrillateurs/sync/tally.ts'
import { clusterNames } from '../src/platform/database/cluster-names.ts'
import { connect } from '../src/platform/database/connect.ts'
import { ownConnections } from '../src/platform/database/connections/own-connection.ts'
import { migrate } from '../src/platform/database/migrate/migrate.ts'
import { pagingOf } from '../src/platform/http/paging.ts'

/**
 * A registry as large as the real one, loaded into an empty catalogue, again unchanged, and searched:
 * `node bench/defibrillateurs.ts --rows 190000`
 */
const { values: options } = parseArgs({
  options: { rows: { type: 'string', default: '190000' }, durable: { type: 'boolean', default: false } },
})
const count = Number(options.rows)

const dataDir = mkdtempSync(join(tmpdir(), 'parvis-bench-'))
const cluster = await openCluster({ dataDir, names: clusterNames, durable: options.durable, log: () => {} })
try {
  await migrate(cluster.owner, cluster.service.user ?? '', async (db) => {
    await loadCommunes(db, null, createRun())
  })
  const { db, close } = connect(cluster.service, { warn: () => {} })
  const onOwnConnection = ownConnections(cluster.service)
  const communes = await db.selectFrom('communes').select(['code_insee', 'nom', 'codes_postaux']).execute()

  await measure('made alone', async () => {
    for await (const _ of registry()) {
    }
  })
  await measure('read and cleaned', () =>
    readRegistry(registry(), createTally(), async (rows) => {
      for await (const _ of rows) {
      }
    }),
  )
  const load = async () =>
    console.log(JSON.stringify(await loadFile({ db, onOwnConnection }, registry(), createTally())))
  await measure('loaded into nothing', load)
  await measure('loaded again', load)
  // As autovacuum does within a minute.
  const owner = new pg.Client(cluster.owner)
  await owner.connect()
  await owner.query('vacuum (analyze) defibrillateurs')
  await owner.end()
  await time('nearest 10', { place: { lat: 45.76, lon: 4.84, rayon: 10_000 } })
  await time('nearest 10 within 50 km', { place: { lat: 48.85, lon: 2.35, rayon: 50_000 } })
  await time('search: gymnase lyon', { q: 'gymnase lyon', place: null })
  await time('search: 73000', { q: '73000', place: null })
  await time('search: mairie', { q: 'mairie', place: null })
  await time('of a code', { code_insee: '75056', place: null })
  await time('all', { place: null })
  await close()

  async function* registry(): AsyncGenerator<Uint8Array> {
    const names = [
      'Mairie',
      'Gymnase Jean Moulin',
      'Pharmacie',
      'Salle des fêtes',
      'École Jules Ferry',
      'Piscine',
      'Gare',
    ]
    const hours = ['24/7', 'Mo-Su off', 'Mo-Fr 08:00-18:00', 'Mo-Sa 09:00-19:00; Su 09:00-12:00']
    yield Buffer.from(csv([]))
    for (let from = 0; from < count; from += 500) {
      const rows = Array.from({ length: Math.min(500, count - from) }, (_, k) => {
        const n = from + k
        const at = (n * 7_919) % communes.length
        const commune = communes[at] ?? { code_insee: '', nom: '', codes_postaux: [] }
        // About as dense as France: the communes lie on a grid, their devices around them.
        const [x, y] = [at % 187, Math.floor(at / 187)]
        return device(n + 1, {
          c_nom: `${names[n % names.length]} ${n % 13}`,
          c_adr_voie: `Rue ${(n * 31) % 997} du Général de Gaulle`,
          c_com_cp: commune.codes_postaux[0] ?? '',
          c_com_insee: n % 20 === 0 ? '' : commune.code_insee,
          c_com_nom: commune.nom,
          c_lat_coor1: (42.5 + y * 0.045 + ((n * 17) % 1_000) / 30_000).toFixed(6),
          c_long_coor1: (-4 + x * 0.06 + ((n * 13) % 1_000) / 30_000).toFixed(6),
          c_dispo_horaires: hours[n % hours.length] ?? '',
          c_etat_fonct: n % 50 === 0 ? 'Hors service' : 'En fonctionnement',
          c_acc_complt: 'À gauche de l’entrée principale, près de l’accueil',
          c_expt_rais: 'Commune de quelque part',
          the_geom: '0101000020E610000000000000000010400000000000804640',
        })
      })
      yield Buffer.from(csv(rows).slice(columns.join(';').length + 2))
    }
  }

  async function measure(name: string, work: () => Promise<unknown>) {
    globalThis.gc?.()
    const before = process.memoryUsage().rss
    let most = before
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss)
    }, 20)
    const began = performance.now()
    await work()
    const seconds = (performance.now() - began) / 1_000
    clearInterval(watch)
    const megabytes = Math.round((most - before) / 1e6)
    console.log(
      `${name}: ${seconds.toFixed(1)} s, ${Math.round(count / seconds)} rows/s, ${megabytes} MB more at most`,
    )
  }

  async function time(name: string, asked: Parameters<typeof listPublic>[1]) {
    const took: number[] = []
    let total = 0
    for (let turn = 0; turn < 30; turn++) {
      const began = performance.now()
      const [, counted] = await Promise.all([
        listPublic(db, asked, [], pagingOf({ per_page: 10 }, 10)),
        countPublic(db, asked, []),
      ])
      total = counted
      took.push(performance.now() - began)
    }
    const sorted = took.sort((a, b) => a - b)
    console.log(
      `${name}: median ${sorted[15]?.toFixed(1)} ms, at most ${sorted.at(-1)?.toFixed(1)} ms, of ${total}`,
    )
  }
} finally {
  await cluster.stop()
  await removeCluster(dataDir, clusterNames)
}
