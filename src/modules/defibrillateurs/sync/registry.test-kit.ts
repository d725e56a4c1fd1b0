import type { ServerResponse } from 'node:http'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Columns of the registry's CSV since October 2026, in order. */
export const columns =
  `gid c_gid c_etat_valid c_nom c_x_coor2 c_y_coor2 c_lat_coor1 c_long_coor1 c_xy_precis c_id_adr c_adr_num c_adr_voie c_com_cp
  c_com_insee c_com_nom c_acc c_acc_lib c_acc_pcsec c_acc_acc c_acc_etg c_acc_complt c_photo1 c_photo2 c_disp_complt c_date_instal
  c_etat_fonct c_id_euro c_lc_ped c_dtpr_lcped c_dtpr_lcad c_dtpr_bat c_freq_mnt c_dispsurv c_dermnt c_maj_don c_expt_siren
  c_expt_rais c_etat c_application_provenance c_doublon c__edit_datemaj c_srid_origin the_geom cc_photo1 c_dae_mobile
  c_dispo_horaires`.split(/\s+/)
export const formerColumns = columns
  .filter((column) => !['c_dae_mobile', 'c_dispo_horaires'].includes(column))
  .concat('c_disp_j', 'c_disp_h')

export type RegistryFields = Record<string, string>

const defaults: RegistryFields = {
  c_etat_valid: 'validées',
  c_nom: 'Mairie',
  c_lat_coor1: '45.61',
  c_long_coor1: '4.05',
  c_adr_num: '1',
  c_adr_voie: 'Place de la Mairie',
  c_com_cp: '42000',
  c_com_insee: '42218',
  c_com_nom: 'Saint-Étienne',
  c_acc: 'Extérieur',
  c_acc_lib: 't',
  c_acc_etg: '0',
  c_acc_complt: 'Entrée principale',
  c_date_instal: '2019-11-18',
  c_etat_fonct: 'En fonctionnement',
  c_etat: 'Actif',
  c_doublon: 'f',
  c_dae_mobile: 'f',
  c__edit_datemaj: '2023-04-11 19:30:44.302674',
  c_dispo_horaires: '24/7',
}

/** Builds a typical registry row with the given differences. */
export const device = (c_gid: number | string, given: RegistryFields = {}): RegistryFields => ({
  ...defaults,
  gid: `${c_gid}`,
  c_gid: `${c_gid}`,
  // No two have the same coordinates.
  c_lat_coor1: (45 + (Number(c_gid) || 0) / 100_000).toFixed(5),
  ...given,
})

export const csv = (rows: RegistryFields[], names = columns): string =>
  [names, ...rows.map((row) => names.map((name) => quoted(row[name] ?? '')))]
    .map((fields) => `${fields.join(';')}\r\n`)
    .join('')

const quoted = (field: string) => (/[";\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)

export type Talk = (response: ServerResponse, request: IncomingMessage) => unknown

/** Starts a local registry whose content tests can change. */
export async function openRegistry() {
  let talk: Talk = (response) => response.end()
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    talk(response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    asked,
    csvUrl: `${url}/geodae.csv`,
    apiUrl: `${url}/api/resources/r/data/`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
    says(next: Talk) {
      talk = next
    },
    has(rows: RegistryFields[], names?: string[]) {
      talk = (response) => response.setHeader('content-type', 'text/csv').end(csv(rows, names))
    },
    /** Serves pages like the tabular API, with typed numbers and booleans. */
    answersPages(rows: RegistryFields[], size = 2) {
      talk = (response, request) => {
        const asked = new URL(request.url ?? '', url)
        const of = rows.filter((row) => row.c_com_insee === asked.searchParams.get('c_com_insee__exact'))
        const page = Number(asked.searchParams.get('page'))
        const data = of.slice((page - 1) * size, page * size).map(asJson)
        asked.searchParams.set('page', `${page + 1}`)
        const next = page * size < of.length ? asked.href : null
        const meta = { page, page_size: size, total: of.length }
        json(response, { data, links: { next, prev: null }, meta })
      }
    },
  }
}

export const json = (response: ServerResponse, body: unknown) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body))

function asJson(row: RegistryFields): Record<string, unknown> {
  const words: Record<string, unknown> = { '': null, t: true, f: false }
  const value = (text: string) => (text in words ? words[text] : /^\d{1,4}$/.test(text) ? Number(text) : text)
  return {
    __id: Number(row.c_gid),
    ...Object.fromEntries(Object.entries(row).map(([name, text]) => [name, value(text)])),
  }
}
