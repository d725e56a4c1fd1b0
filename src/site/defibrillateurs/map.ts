import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { type Asset, compressedAsset, typeOf } from '../../platform/http/assets.ts'
import { html, type Markup } from '../html.ts'
import { digestOf, type File, read } from '../look/stylesheets.ts'
import { t } from '../text.ts'
import { javascript } from '../worker.ts'

/** A file that few readers need: read and compressed at its first request, with a digest in its name. */
export type FileOnDemand = { path: string; open: () => Promise<Asset> }

const library = onDemand('../../../node_modules/maplibre-gl/dist/maplibre-gl.mjs')
const worker = onDemand('../../../node_modules/maplibre-gl/dist/maplibre-gl-worker.mjs')
const outlines = onDemand('../../modules/communes/outlines.json')
const styles = served('map.css', read('defibrillateurs/map.css'))

/** Tells the browser where the files are, and what to say: before the script, because most readers need neither. */
const given = {
  files: { library: library.path, worker: worker.path, outlines: outlines.path, styles: styles.path },
  texts: { ...t.dae.map, states: { open: t.dae.open, unknown: t.dae.unknown, closed: t.dae.closed } },
  area: '/defibrillateurs/carte.json',
}
export const mapFile = served(
  'carte.js',
  `globalThis.carte = ${JSON.stringify(given)}\n${read('browser/carte.js')}`,
)
export const mapButtonFile = served('bouton-carte.js', read('browser/bouton-carte.js'))
export const mapFiles: readonly File[] = [mapButtonFile, mapFile, styles]
/** MapLibre, as the package has it, and what is drawn with it. */
export const mapFilesOnDemand: readonly FileOnDemand[] = [library, worker, outlines]

type View = { latitude?: number | null; longitude?: number | null; label?: string }

/**
 * The button of the map, which its script shows. The map begins with the devices that the page lists; without any, at this
 * place. With a label the place is marked, and distances are drawn around it.
 */
export const mapButton = ({ latitude, longitude, label }: View = {}): Markup => {
  const { button, close, loading, failed } = t.dae.map
  const place = latitude != null && longitude != null && html` data-lat="${latitude}" data-lon="${longitude}"`
  return html`<button type="button" class="around" data-carte="${mapFile.path}" data-ferme="${close}" data-attente="${loading}" data-echec="${failed}"${place}${label !== undefined && html` data-ici="${label}"`} hidden>${button}</button>`
}

function served(name: string, content: string): File {
  const type = name.endsWith('.js') ? javascript : typeOf(name)
  return { path: `/site/${digestOf(content)}${extname(name)}`, type, content }
}

function onDemand(name: string): FileOnDemand {
  const address = new URL(name, import.meta.url)
  const extension = extname(name).replace('.mjs', '.js')
  const path = `/site/${digestOf(readFileSync(address))}${extension}`
  let asset: Promise<Asset> | null = null
  const open = () => {
    asset ??= readFile(address).then((content) => compressedAsset(typeOf(path), content))
    return asset
  }
  return { path, open }
}
