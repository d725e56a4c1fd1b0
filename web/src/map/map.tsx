import * as maplibre from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { useEffect, useRef, useState } from 'react'
import styles from './map.module.css'
import { readMapSettings } from './settings.ts'
import { colour, outlineStyle, pmtilesStyle } from './style.ts'

export type Point = { longitude: number; latitude: number }
export type View = Point & { zoom: number }
export type Bounds = { west: number; south: number; east: number; north: number }
/** Something on the map: a group of `count`, or a single one with its id. */
export type Spot = {
  id: string | null
  count: number
  longitude: number
  latitude: number
  tone: 'good' | 'warn' | 'bad'
}

type MapProps = {
  label: string
  view: View
  spots: readonly Spot[]
  /** Called when the map has moved, and once when it is ready. `centre` is more exact than the view. */
  onMove: (view: View, bounds: Bounds, centre: Point) => void
  onOpen: (spot: Spot) => void
  /** Called with the point of a click or tap. */
  onPoint?: (point: Point) => void
  /** Called with what the map is drawn on: also when the outline takes the place of a background that did not arrive. */
  onBackground: (background: Background) => void
  onFailure: () => void
  /** Called when a style is loaded, and again when another one takes its place: what else is drawn begins anew. */
  onStyle?: (map: maplibre.Map) => void
}

/** `other`: a background that the operator chose, with the credit of its sources. */
export type Background = { is: 'outline' | 'ign' } | { is: 'other'; credit: string }

/** The outline takes the place of a background of which nothing has arrived after this time. */
const answerMs = 3_000

maplibre.setWorkerUrl(workerUrl)

/** Map with groups and single spots. Loaded on demand; arrow keys move it, plus and minus zoom. */
export function SpotMap({ label, view, spots, ...events }: MapProps) {
  const place = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<maplibre.Map | null>(null)
  const latest = useRef({ spots, view, ...events })
  latest.current = { spots, view, ...events }

  useEffect(() => {
    let opened: maplibre.Map | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    let isClosed = false
    const open = async () => {
      const style = await backgroundStyle()
      if (isClosed || place.current === null) return
      opened = openMap(place.current, style, label, latest.current.view)
      const current = opened
      let isStyled = false
      let isOutline = !hasBackground()
      const showOutline = () => {
        clearTimeout(timer)
        if (isOutline || isClosed) return
        isOutline = true
        outlineStyle().then(
          (outline) => !isClosed && current.setStyle(outline, { diff: false }),
          () => latest.current.onFailure(),
        )
      }
      timer = setTimeout(showOutline, answerMs)
      // Later errors are about a part, such as a glyph: the map goes on without it.
      current.on('error', () => !isStyled && showOutline())
      current.on('data', (event) => {
        const isTile = event.dataType === 'source' && event.tile !== undefined
        if (isTile && event.sourceId !== 'spots') clearTimeout(timer)
      })
      const report = () =>
        latest.current.onMove(viewOf(current), boundsOf(current), exact(current.getCenter()))
      // Once for each style, before its tiles: the spots need none.
      current.on('style.load', () => {
        if (Object.keys(current.getStyle().sources).length === 0) clearTimeout(timer)
        drawSpots(current, latest.current.spots)
        latest.current.onStyle?.(current)
        latest.current.onBackground(isOutline ? { is: 'outline' } : backgroundOf(current))
        if (isStyled) return
        isStyled = true
        setMap(current)
        report()
      })
      current.on('click', ['groups', 'singles'], ({ features }) => {
        const spot = latest.current.spots[Number(features?.[0]?.properties.index)]
        if (spot) latest.current.onOpen(spot)
      })
      current.on('click', ({ lngLat }) => latest.current.onPoint?.(exact(lngLat)))
      if (latest.current.onPoint) setCursor(current, 'crosshair')
      else
        for (const layer of ['groups', 'singles']) {
          current.on('mouseenter', layer, () => setCursor(current, 'pointer'))
          current.on('mouseleave', layer, () => setCursor(current, ''))
        }
      current.on('moveend', report)
    }
    open().catch(() => latest.current.onFailure())
    return () => {
      isClosed = true
      clearTimeout(timer)
      setMap(null)
      opened?.remove()
    }
  }, [label])

  useEffect(() => {
    map?.getSource<maplibre.GeoJSONSource>('spots')?.setData(featuresOf(spots))
  }, [map, spots])

  const { longitude, latitude, zoom } = view
  useEffect(() => {
    if (map === null) return
    const now = viewOf(map)
    if (near(now.longitude, longitude) && near(now.latitude, latitude) && near(now.zoom, zoom)) return
    map.jumpTo({ center: [longitude, latitude], zoom })
  }, [map, longitude, latitude, zoom])

  return <div ref={place} className={styles.map} data-ready={map !== null} />
}

const near = (one: number, other: number) => Math.abs(one - other) < 0.001

const hasBackground = () => {
  const { styleUrl, pmtilesUrl } = readMapSettings()
  return styleUrl !== null || pmtilesUrl !== null
}

function backgroundOf(map: maplibre.Map): Background {
  const { styleUrl } = readMapSettings()
  if (styleUrl !== null && URL.parse(styleUrl)?.host === 'data.geopf.fr') return { is: 'ign' }
  const credits = Object.keys(map.getStyle().sources).map((id) => map.getSource(id)?.attribution ?? '')
  const texts = credits.map(
    (html) => new DOMParser().parseFromString(html, 'text/html').body.textContent ?? '',
  )
  return { is: 'other', credit: [...new Set(texts)].filter((text) => text.trim() !== '').join(' · ') }
}

/** The background of the settings, else the outline of the départements. */
async function backgroundStyle(): Promise<maplibre.StyleSpecification | string> {
  const { styleUrl, pmtilesUrl } = readMapSettings()
  if (styleUrl !== null) return styleUrl
  return pmtilesUrl === null ? outlineStyle() : pmtilesStyle(pmtilesUrl, maplibre.addProtocol)
}

function openMap(
  container: HTMLElement,
  style: maplibre.StyleSpecification | string,
  label: string,
  { longitude, latitude, zoom }: View,
): maplibre.Map {
  const map = new maplibre.Map({
    container,
    style,
    center: [longitude, latitude],
    zoom,
    minZoom: 1,
    maxZoom: 19,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    attributionControl: false,
    fadeDuration: 0,
    // The outline has no fonts: the browser's own ones draw the numbers.
    localIdeographFontFamily: 'sans-serif',
    locale: { 'Map.Title': label },
  })
  map.touchZoomRotate.disableRotation()
  map.keyboard.disableRotation()
  return map
}

function drawSpots(map: maplibre.Map, spots: readonly Spot[]): void {
  const font = fontOf(map)
  map.addSource('spots', { type: 'geojson', data: featuresOf(spots) })
  const tones: maplibre.ExpressionSpecification = [
    'match',
    ['get', 'tone'],
    'bad',
    colour('--danger-solid'),
    'warn',
    colour('--warning'),
    colour('--accent-solid'),
  ]
  map.addLayer({
    id: 'groups',
    type: 'circle',
    source: 'spots',
    filter: ['>', ['get', 'count'], 1],
    paint: {
      'circle-color': colour('--accent-solid'),
      'circle-stroke-color': colour('--on-solid'),
      'circle-stroke-width': 1,
      'circle-opacity': 0.9,
      // The area grows with the number of digits, so that neighbours rarely overlap.
      'circle-radius': ['interpolate', ['linear'], ['log10', ['get', 'count']], 0, 9, 2, 15, 5, 30],
    },
  })
  map.addLayer({
    id: 'singles',
    type: 'circle',
    source: 'spots',
    filter: ['==', ['get', 'count'], 1],
    paint: {
      'circle-color': tones,
      'circle-stroke-color': colour('--on-solid'),
      'circle-stroke-width': 1.5,
      'circle-radius': 7,
    },
  })
  map.addLayer({
    id: 'numbers',
    type: 'symbol',
    source: 'spots',
    filter: ['>', ['get', 'count'], 1],
    layout: {
      'text-field': ['get', 'label'],
      'text-size': 12,
      'text-font': font,
      'text-allow-overlap': true,
    },
    paint: { 'text-color': colour('--on-solid') },
  })
}

/** A font that the style serves; one without fonts leaves the numbers to those of the browser. */
function fontOf(map: maplibre.Map): string[] {
  const { glyphs, layers } = map.getStyle()
  const fonts = layers.flatMap((layer) => (layer.type === 'symbol' ? [layer.layout?.['text-font']] : []))
  const isPlain = (font: unknown): font is string[] =>
    Array.isArray(font) && font.length > 0 && font.every((name) => typeof name === 'string')
  return (glyphs === undefined ? undefined : fonts.find(isPlain)) ?? ['sans-serif']
}

const featuresOf = (spots: readonly Spot[]) => ({
  type: 'FeatureCollection' as const,
  features: spots.map(({ count, tone, longitude, latitude }, index) => ({
    type: 'Feature' as const,
    properties: { index, count, tone, label: short(count) },
    geometry: { type: 'Point' as const, coordinates: [longitude, latitude] },
  })),
})

/** 12 300 as 12k, which fits a circle. */
const short = (count: number) => (count < 1_000 ? `${count}` : `${Math.round(count / 1_000)}k`)

const setCursor = (map: maplibre.Map, cursor: string) => {
  map.getCanvas().style.cursor = cursor
}

function viewOf(map: maplibre.Map): View {
  const { lng, lat } = map.getCenter().wrap()
  return { longitude: round(lng), latitude: round(lat), zoom: Math.round(map.getZoom() * 100) / 100 }
}

/** As many decimals as the service keeps: a tenth of a metre. */
function exact(at: maplibre.LngLat): Point {
  const { lng, lat } = at.wrap()
  return { longitude: Number(lng.toFixed(6)), latitude: Number(lat.toFixed(6)) }
}

const round = (degrees: number) => Math.round(degrees * 10_000) / 10_000

/** The box in view, within the world. A west beyond the east crosses the antimeridian. */
function boundsOf(map: maplibre.Map): Bounds {
  const bounds = map.getBounds()
  const [south, north] = [Math.max(-90, bounds.getSouth()), Math.min(90, bounds.getNorth())]
  const [west, east] = [bounds.getWest(), bounds.getEast()]
  if (east - west >= 360) return { west: -180, south, east: 180, north }
  return { west: wrapped(west), south, east: wrapped(east), north }
}

const wrapped = (longitude: number) => ((((longitude + 180) % 360) + 360) % 360) - 180
