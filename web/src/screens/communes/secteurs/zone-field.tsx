import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Polygons, Tool } from '../../../map/area-map.tsx'
import type { Background, View } from '../../../map/map.tsx'
import { hasWebGl } from '../../../map/webgl.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Segmented } from '../../../ui/choice.tsx'
import { Skeleton } from '../../../ui/empty.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Fold } from '../../../ui/fold.tsx'
import { Row, Soft } from '../../../ui/layout.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useDebounced } from '../../../ui/use-debounced.ts'
import { addressesInQuery, centreQuery } from './queries.ts'
import { polygonsIn, textOf, zoneOf } from './zone.ts'

const LazyMap = lazy(() => import('../../../map/area-map.tsx').then(({ AreaMap }) => ({ default: AreaMap })))

const france: View = { latitude: 46.45, longitude: 2.2, zoom: 4.4 }
const communeZoom = 13

type ZoneProps = {
  communeId: string
  /** The area as GeoJSON; empty: none. */
  text: string
  error: string | null
  onChange: (text: string) => void
}

/** The area of a secteur: drawn on a map, or pasted as text in a fold. */
export function ZoneField({ communeId, text, error, onChange }: ZoneProps) {
  const words = useTranslations('communes.secteurs.zone')
  const [isOpen, setOpen] = useState(false)
  const polygons = polygonsIn(text)
  const wrong = polygons === null ? words('unread') : error
  const canDraw = polygons?.every(({ length }) => length === 1) === true
  return (
    <>
      <Row>
        <Soft as="span" role="status">
          {words('parts', { count: polygons?.length ?? 0 })}
        </Soft>
        <Button small aria-expanded={isOpen} isDisabled={!canDraw} onPress={() => setOpen(!isOpen)}>
          {words(isOpen ? 'close' : 'open')}
        </Button>
      </Row>
      {polygons !== null && polygons.length > 0 && <Addresses communeId={communeId} polygons={polygons} />}
      {polygons !== null && !canDraw && <Soft>{words('hole')}</Soft>}
      {isOpen && canDraw && (
        <ZoneMap
          communeId={communeId}
          polygons={polygons}
          onChange={(next) => onChange(textOf(zoneOf(next)))}
        />
      )}
      <Fold title={words('text')} isOpen={wrong !== null}>
        <TextField
          label={words('text')}
          help={words('textHelp')}
          rows={4}
          value={text}
          onChange={onChange}
          error={wrong}
        />
      </Fold>
    </>
  )
}

/** Milliseconds after the last change until the addresses are counted. */
const countAfterMs = 400

/** Says how many addresses an area holds: it shows whether the outline is right. */
function Addresses({ communeId, polygons }: { communeId: string; polygons: Polygons }) {
  const words = useTranslations('communes.secteurs.zone')
  const zone = zoneOf(useDebounced(polygons, countAfterMs))
  const counted = useQuery({
    ...addressesInQuery(communeId, zone as NonNullable<typeof zone>),
    enabled: zone !== null,
    retry: false,
  })
  // An area that cannot be counted can be saved, or saving says why not.
  if (counted.data === undefined) return null
  const { inside, known } = counted.data
  return <Soft role="status">{known === 0 ? words('noAddress') : words('addresses', { inside, known })}</Soft>
}

type MapProps = { communeId: string; polygons: Polygons; onChange: (polygons: Polygons) => void }

function ZoneMap({ communeId, polygons, onChange }: MapProps) {
  const words = useTranslations('communes.secteurs.zone')
  const common = useTranslations('defibrillateurs')
  const commune = useQuery(centreQuery(communeId))
  const [moved, setMoved] = useState<View | null>(null)
  const [background, setBackground] = useState<Background | null>(null)
  const [tool, setTool] = useState<Tool>(polygons.length === 0 ? 'polygon' : 'select')
  const [selected, setSelected] = useState<number | null>(null)
  const [drawnAnew, setDrawnAnew] = useState(0)
  // Once: each try takes one of the few contexts of a page.
  const [hasFailed, setFailed] = useState(() => !hasWebGl())
  const [first] = useState(() => viewOf(polygons))
  const centre = commune.data
  const view = moved ?? first ?? (centre ? { ...centre, zoom: communeZoom } : france)
  const zoomBy = (steps: number) => setMoved({ ...view, zoom: Math.min(19, Math.max(1, view.zoom + steps)) })
  const replace = (next: Polygons) => {
    onChange(next)
    setSelected(null)
    setDrawnAnew(drawnAnew + 1)
  }
  if (hasFailed) return <Notice tone="warn" title={common('noMap')} />
  if (commune.isPending) return <Skeleton lines={8} />
  return (
    <>
      <Segmented
        label={words('tool')}
        value={tool}
        onChange={setTool}
        options={(['polygon', 'select'] as const).map((value) => ({ value, label: words(`tools.${value}`) }))}
      />
      <Soft>{words(`help.${tool}`)}</Soft>
      <Suspense fallback={<Skeleton lines={8} />}>
        <LazyMap
          label={words('map')}
          view={view}
          polygons={polygons}
          drawnAnew={drawnAnew}
          tool={tool}
          onChange={onChange}
          onSelect={setSelected}
          onMove={setMoved}
          onBackground={setBackground}
          onFailure={() => setFailed(true)}
        />
      </Suspense>
      <Row>
        <Button
          small
          isDisabled={selected === null}
          onPress={() => replace(polygons.filter((_, index) => index !== selected))}
        >
          {words('remove')}
        </Button>
        <Button small isDisabled={polygons.length === 0} onPress={() => replace([])}>
          {words('clear')}
        </Button>
        <IconButton icon="plus" label={common('zoomIn')} onPress={() => zoomBy(1)} />
        <IconButton icon="minus" label={common('zoomOut')} onPress={() => zoomBy(-1)} />
      </Row>
      {background && (
        <Soft>{background.is === 'other' ? background.credit : common(`mapSource.${background.is}`)}</Soft>
      )}
    </>
  )
}

/** Returns the view in which all corners are; null of none. */
function viewOf(polygons: Polygons): View | null {
  const corners = polygons.flat(2)
  if (corners.length === 0) return null
  const [longitude, latitude] = ([0, 1] as const).map((at) => {
    const degrees = corners.map((corner) => corner[at] ?? 0)
    const [from, to] = [Math.min(...degrees), Math.max(...degrees)]
    return { middle: (from + to) / 2, span: to - from }
  }) as [{ middle: number; span: number }, { middle: number; span: number }]
  const span = Math.max(longitude.span, 1.5 * latitude.span, 0.001)
  // At zoom 0 the world is as wide as the map.
  const zoom = Math.min(16, Math.max(1, Math.log2(200 / span)))
  return { longitude: longitude.middle, latitude: latitude.middle, zoom }
}
