import type { FilterSpecification, LayerSpecification, StyleSpecification } from 'maplibre-gl'
import outlineUrl from '../../../src/modules/communes/outlines.json?url'

/** Reads the colour of a token, because a map draws on a canvas and knows no custom properties. */
export function colour(token: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${token})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** The outline of the départements, which needs no tiles. */
export async function outlineStyle(): Promise<StyleSpecification> {
  const data = await (await fetch(outlineUrl)).json()
  return {
    version: 8,
    sources: { departements: { type: 'geojson', data } },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': colour('--pressed') } },
      {
        id: 'land',
        type: 'fill',
        source: 'departements',
        paint: { 'fill-color': colour('--surface') },
      },
      borders('departements'),
    ],
  }
}

const borders = (source: string): LayerSpecification => ({
  id: 'borders',
  type: 'line',
  source,
  paint: { 'line-color': colour('--line-strong'), 'line-width': 0.75, 'line-opacity': 0.6 },
})

/** A plain style for a PMTiles archive with the layers of Protomaps: no labels, which would need fonts. */
export async function pmtilesStyle(url: string, addProtocol: AddProtocol): Promise<StyleSpecification> {
  const { Protocol } = await import('pmtiles')
  addProtocol('pmtiles', new Protocol().tile)
  const fill = (id: string, token: string, filter?: FilterSpecification): LayerSpecification => ({
    id,
    type: 'fill',
    source: 'tiles',
    'source-layer': id,
    paint: { 'fill-color': colour(token) },
    ...(filter && { filter }),
  })
  const line = (id: string, token: string, width: number): LayerSpecification => ({
    id,
    type: 'line',
    source: 'tiles',
    'source-layer': id,
    paint: { 'line-color': colour(token), 'line-width': width },
  })
  return {
    version: 8,
    sources: { tiles: { type: 'vector', url: `pmtiles://${url}`, attribution: '© OpenStreetMap' } },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': colour('--pressed') } },
      fill('earth', '--surface'),
      fill('landuse', '--canvas'),
      fill('water', '--pressed', ['==', ['geometry-type'], 'Polygon']),
      line('roads', '--line-strong', 1),
      fill('buildings', '--line'),
      line('boundaries', '--line-strong', 1),
    ],
  }
}

type AddProtocol = typeof import('maplibre-gl')['addProtocol']
