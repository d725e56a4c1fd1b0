import type { Map as LibreMap } from 'maplibre-gl'
import { useEffect, useRef } from 'react'
import { type GeoJSONStoreFeatures, TerraDraw, TerraDrawPolygonMode, TerraDrawSelectMode } from 'terra-draw'
import { TerraDrawMapLibreGLAdapter } from 'terra-draw-maplibre-gl-adapter'
import { type Background, SpotMap, type View } from './map.tsx'

/** Corners of polygons, by their first and only ring: longitude and latitude. */
export type Polygons = number[][][][]
export type Tool = 'polygon' | 'select'

type AreaProps = {
  label: string
  view: View
  /** Polygons to draw when the map opens, and again after `drawnAnew` has changed. */
  polygons: Polygons
  drawnAnew: number
  tool: Tool
  onChange: (polygons: Polygons) => void
  /** Called with the polygon that is selected, by its place among those that `onChange` has given. */
  onSelect: (index: number | null) => void
  onMove: (view: View) => void
  onBackground: (background: Background) => void
  onFailure: () => void
}

/** Map on which polygons are drawn and changed. Loaded on demand. */
export function AreaMap({
  label,
  view,
  polygons,
  drawnAnew,
  tool,
  onMove,
  onBackground,
  onFailure,
  ...rest
}: AreaProps) {
  const draw = useRef<TerraDraw | null>(null)
  const latest = useRef({ polygons, tool, ...rest })
  latest.current = { polygons, tool, ...rest }
  const isQuiet = useRef(false)
  /** Begins to draw on a style, which has lost what another one had. */
  const begin = (map: LibreMap) => {
    stop(draw.current)
    draw.current = drawOn(map, latest, isQuiet)
  }
  useEffect(() => () => stop(draw.current), [])
  useEffect(() => {
    draw.current?.setMode(tool)
  }, [tool])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the map itself has drawn is not drawn again
  useEffect(() => {
    if (draw.current === null) return
    // Clearing a selected polygon calls `onSelect` while the polygon is still there.
    isQuiet.current = true
    draw.current.clear()
    isQuiet.current = false
    draw.current.addFeatures(latest.current.polygons.map(featureOf))
  }, [drawnAnew])
  return (
    <SpotMap
      label={label}
      view={view}
      spots={[]}
      onMove={onMove}
      onOpen={() => {}}
      onStyle={begin}
      onBackground={onBackground}
      onFailure={onFailure}
    />
  )
}

type Latest = { current: Pick<AreaProps, 'polygons' | 'tool' | 'onChange' | 'onSelect'> }

function drawOn(map: LibreMap, latest: Latest, isQuiet: { current: boolean }): TerraDraw {
  const flags = { draggable: true, coordinates: { midpoints: true, draggable: true, deletable: true } }
  const draw = new TerraDraw({
    adapter: new TerraDrawMapLibreGLAdapter({ map, coordinatePrecision: 9 }),
    modes: [
      // Escape closes the dialog, and Delete is a button.
      new TerraDrawPolygonMode({ keyEvents: { cancel: null, finish: 'Enter' } }),
      new TerraDrawSelectMode({ flags: { polygon: { feature: flags } }, keyEvents: null }),
    ],
  })
  draw.start()
  draw.addFeatures(latest.current.polygons.map(featureOf))
  draw.setMode(latest.current.tool)
  const report = () => latest.current.onChange(drawn(draw).map(polygonOf))
  draw.on('finish', report)
  draw.on('select', (id) => latest.current.onSelect(drawn(draw).findIndex((one) => one.id === id)))
  draw.on('deselect', () => {
    if (isQuiet.current) return
    latest.current.onSelect(null)
    report()
  })
  return draw
}

/** A style that was replaced has no layers to remove. */
function stop(draw: TerraDraw | null): void {
  try {
    draw?.stop()
  } catch {
    // Nothing is left of it.
  }
}

const drawn = (draw: TerraDraw): GeoJSONStoreFeatures[] =>
  draw
    .getSnapshot()
    .filter(({ geometry, properties }) => geometry.type === 'Polygon' && !properties.currentlyDrawing)

/** As many decimals as an address has: a tenth of a metre. */
const round = (degrees = 0) => Number(degrees.toFixed(6))

const polygonOf = ({ geometry }: GeoJSONStoreFeatures): number[][][] =>
  (geometry.coordinates as number[][][]).map((ring) => ring.map(([x, y]) => [round(x), round(y)]))

const featureOf = (coordinates: number[][][]) => ({
  type: 'Feature' as const,
  properties: { mode: 'polygon' },
  geometry: { type: 'Polygon' as const, coordinates },
})
