import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { messageFor } from '../../../api/failure.ts'
import type { Background, Point, View } from '../../../map/map.tsx'
import { hasWebGl } from '../../../map/webgl.ts'
import { useFieldLabels } from '../../../shell/records/publication-fields.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/empty.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Fold } from '../../../ui/fold.tsx'
import { Row, Soft } from '../../../ui/layout.tsx'
import { Notice } from '../../../ui/notice.tsx'
import type { Content } from './content.ts'
import { centreQuery } from './queries.ts'
import styles from './writing.module.css'

const LazyMap = lazy(() => import('../../../map/map.tsx').then(({ SpotMap }) => ({ default: SpotMap })))

const france: View = { latitude: 46.45, longitude: 2.2, zoom: 4.4 }
/** Zooms at which a village, and a square within it, fill the map. */
const communeZoom = 13
const pointZoom = 16

type PointFieldProps = {
  content: Content
  onChange: (changed: Partial<Content>) => void
  error: unknown
  /** The map begins there. Undefined: with all of France. */
  communeId: string | undefined
}

/** The point of a place on the map, placed by a click or at the centre; its coordinates can be typed in a fold. */
export function PointField({ content, onChange, error, communeId }: PointFieldProps) {
  const words = useTranslations('writing')
  const labelOf = useFieldLabels()
  const [isOpen, setOpen] = useState(false)
  const point = pointOf(content)
  const names = ['lieu.latitude', 'lieu.longitude'] as const
  const wrong = names.map((name) => messageFor(error, name))
  const put = (latitude: string, longitude: string) =>
    onChange({ 'lieu.latitude': latitude, 'lieu.longitude': longitude })
  return (
    <>
      <Row>
        <Soft as="span" role="status">
          {point === null ? words('point.none') : words('point.placed', { point: textOf(point) })}
        </Soft>
        <Button small aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          {words(isOpen ? 'point.close' : 'point.open')}
        </Button>
        {point !== null && (
          <Button small look="quiet" onPress={() => put('', '')}>
            {words('point.remove')}
          </Button>
        )}
      </Row>
      {isOpen && (
        <PointMap
          point={point}
          communeId={communeId}
          onPlace={({ latitude, longitude }) => put(String(latitude), String(longitude))}
        />
      )}
      <Fold
        title={words('point.coordinates')}
        isOpen={wrong.some(Boolean) || (point === null && names.some((name) => content[name] !== ''))}
      >
        <div className={styles.dates}>
          <TextField
            label={labelOf('lieu.latitude')}
            help={words('latitudeHelp')}
            value={content['lieu.latitude']}
            onChange={(text) => onChange(pasted(text) ?? { 'lieu.latitude': text })}
            error={messageFor(error, 'lieu.latitude')}
          />
          <TextField
            label={labelOf('lieu.longitude')}
            value={content['lieu.longitude']}
            onChange={(longitude) => onChange({ 'lieu.longitude': longitude })}
            error={messageFor(error, 'lieu.longitude')}
          />
        </div>
      </Fold>
    </>
  )
}

type PointMapProps = {
  point: Point | null
  communeId: string | undefined
  onPlace: (point: Point) => void
}

/** Map on which a click, or a button for its centre, places the point. */
function PointMap({ point, communeId, onPlace }: PointMapProps) {
  const words = useTranslations('writing')
  const common = useTranslations('defibrillateurs')
  const commune = useQuery({ ...centreQuery(communeId ?? ''), enabled: communeId !== undefined })
  const [moved, setMoved] = useState<View | null>(null)
  const [background, setBackground] = useState<Background | null>(null)
  // Once: each try takes one of the few contexts of a page.
  const [hasFailed, setFailed] = useState(() => !hasWebGl())
  const centre = useRef<Point | null>(null)
  // Not the point that a click places: the map would move under the pointer.
  const [first] = useState(point)
  const start = first ?? commune.data
  const view = moved ?? (start ? { ...start, zoom: first ? pointZoom : communeZoom } : france)
  const zoomBy = (steps: number) => setMoved({ ...view, zoom: Math.min(19, Math.max(1, view.zoom + steps)) })
  if (hasFailed) return <Notice tone="warn" title={common('noMap')} />
  if (communeId !== undefined && commune.isPending) return <Skeleton lines={8} />
  return (
    <div className={styles.form}>
      <div className={styles.map}>
        <Suspense fallback={<Skeleton lines={8} />}>
          <LazyMap
            label={words('point.map')}
            view={view}
            spots={point === null ? [] : [{ ...point, id: null, count: 1, tone: 'bad' }]}
            onMove={(now, _, exact) => {
              centre.current = exact
              setMoved(now)
            }}
            onOpen={() => {}}
            onPoint={onPlace}
            onBackground={setBackground}
            onFailure={() => setFailed(true)}
          />
        </Suspense>
        <span className={styles.cross} aria-hidden="true" />
      </div>
      <Row>
        <Button small onPress={() => centre.current && onPlace(centre.current)}>
          {words('point.centre')}
        </Button>
        <IconButton icon="plus" label={common('zoomIn')} onPress={() => zoomBy(1)} />
        <IconButton icon="minus" label={common('zoomOut')} onPress={() => zoomBy(-1)} />
      </Row>
      <Soft>{words('point.help')}</Soft>
      {background && (
        <Soft>{background.is === 'other' ? background.credit : common(`mapSource.${background.is}`)}</Soft>
      )}
    </div>
  )
}

/** Null unless both are numbers on the map. */
function pointOf(content: Content): Point | null {
  const [latitude = Number.NaN, longitude = Number.NaN] = [
    content['lieu.latitude'],
    content['lieu.longitude'],
  ].map((text) => (text.trim() === '' ? Number.NaN : Number(text.replace(',', '.'))))
  return Math.abs(latitude) <= 85 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null
}

const textOf = ({ latitude, longitude }: Point) => `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`

/** Reads both coordinates as maps copy them: `46.205, 5.225`. */
function pasted(text: string): Partial<Content> | null {
  const [, latitude, longitude] = /^\s*(-?\d+\.\d+)[,;\s]+(-?\d+\.\d+)\s*$/.exec(text) ?? []
  return latitude && longitude ? { 'lieu.latitude': latitude, 'lieu.longitude': longitude } : null
}
