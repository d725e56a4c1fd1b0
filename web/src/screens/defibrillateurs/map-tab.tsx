import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Background, Bounds, Spot, View } from '../../map/map.tsx'
import { hasWebGl } from '../../map/webgl.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/empty.tsx'
import { Row, Soft } from '../../ui/layout.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import styles from './defibrillateurs.module.css'
import { InView } from './in-view.tsx'
import { type DeviceMap, mapQuery } from './queries.ts'
import type { DefibrillateursSearch } from './search.ts'

const LazyMap = lazy(() => import('../../map/map.tsx').then(({ SpotMap }) => ({ default: SpotMap })))

/** Parts of France that do not fit one map: their centre, and the zoom at which they fill a square of `fittedPx`. */
const places = {
  metropole: { latitude: 46.45, longitude: 2.2, zoom: 4.4 },
  guadeloupe: { latitude: 16.2, longitude: -61.5, zoom: 8.5 },
  martinique: { latitude: 14.65, longitude: -61, zoom: 9 },
  guyane: { latitude: 4, longitude: -53, zoom: 6 },
  reunion: { latitude: -21.1, longitude: 55.5, zoom: 8.5 },
  mayotte: { latitude: -12.8, longitude: 45.15, zoom: 9.5 },
  miquelon: { latitude: 46.95, longitude: -56.3, zoom: 8.5 },
  caledonie: { latitude: -21.4, longitude: 165.5, zoom: 6 },
  polynesie: { latitude: -17.6, longitude: -149.5, zoom: 8 },
} as const satisfies Record<string, View>
type Place = keyof typeof places
const fittedPx = 480

type MapTabProps = { search: DefibrillateursSearch; onMove: (at: string) => void }

/** The devices on a map; what it shows stands below it in words, with the same links. */
export function MapTab({ search, onMove }: MapTabProps) {
  const words = useTranslations('defibrillateurs')
  const navigate = useNavigate()
  const { at = 'metropole' } = search
  const view = viewOf(at)
  const place = isPlace(at) ? at : 'elsewhere'
  const [bounds, setBounds] = useState<Bounds | null>(null)
  const [background, setBackground] = useState<Background | null>(null)
  const [hasFailed, setFailed] = useState(() => !hasWebGl())
  const found = useQuery(mapQuery(search, bounds, view.zoom))
  const go = ({ latitude, longitude, zoom }: View) => onMove(`${latitude},${longitude},${zoom}`)
  const zoomBy = (steps: number) =>
    go({ ...view, zoom: Math.min(19, Math.max(1, Math.round(view.zoom + steps))) })
  const open = (spot: Pick<Spot, 'id' | 'latitude' | 'longitude' | 'count'>) => {
    if (spot.id !== null) void navigate({ to: '/defibrillateurs/$id', params: { id: spot.id } })
    else
      go({
        latitude: spot.latitude,
        longitude: spot.longitude,
        zoom: spot.count === 1 ? Math.max(15, view.zoom) : Math.min(19, view.zoom + 2),
      })
  }
  if (hasFailed)
    return (
      <Notice
        tone="warn"
        title={words('noMap')}
        action={
          <Button
            small
            onPress={() => void navigate({ to: '/defibrillateurs', search: { ...search, tab: undefined } })}
          >
            {words('toList')}
          </Button>
        }
      >
        <p>{words('noMapText')}</p>
      </Notice>
    )
  return (
    <div className={styles.stack}>
      <div className={styles.above}>
        <Select<Place | 'elsewhere'>
          label={words('goTo')}
          value={place}
          onChange={(chosen) => chosen !== 'elsewhere' && onMove(chosen)}
          options={[
            ...(place === 'elsewhere'
              ? [{ value: 'elsewhere' as const, label: words('places.elsewhere') }]
              : []),
            ...(Object.keys(places) as Place[]).map((value) => ({ value, label: words(`places.${value}`) })),
          ]}
        />
        <Row>
          <IconButton icon="plus" label={words('zoomIn')} onPress={() => zoomBy(1)} />
          <IconButton icon="minus" label={words('zoomOut')} onPress={() => zoomBy(-1)} />
        </Row>
      </div>
      {found.isError && <ShownFailure error={found.error} onRetry={() => void found.refetch()} />}
      <Suspense fallback={<Skeleton lines={10} />}>
        <LazyMap
          label={words('mapLabel')}
          view={view}
          spots={spotsOf(found.data)}
          onMove={(moved, box) => {
            setBounds(box)
            if (!isNear(moved, view)) go(moved)
          }}
          onOpen={open}
          onBackground={setBackground}
          onFailure={() => setFailed(true)}
        />
      </Suspense>
      <Soft>{words('mapHelp')}</Soft>
      {found.data && <InView map={found.data} onOpen={open} />}
      {background && (
        <Soft>{background.is === 'other' ? background.credit : words(`mapSource.${background.is}`)}</Soft>
      )}
    </div>
  )
}

/** Reads a place by its name, or a position with its zoom. */
function viewOf(at: string): View {
  if (isPlace(at)) return fitted(places[at])
  const [latitude = Number.NaN, longitude = Number.NaN, zoom = Number.NaN] = at.split(',').map(Number)
  const isView = Math.abs(latitude) <= 85 && Math.abs(longitude) <= 180 && zoom >= 1 && zoom <= 19
  return isView ? { latitude, longitude, zoom } : fitted(places.metropole)
}

/** Zooms so that a place fills the shorter side of the map, which is as wide as the screen or 60 % as high. */
function fitted({ zoom, ...centre }: View): View {
  const shorterPx = Math.max(240, Math.min(innerWidth - 32, innerHeight * 0.6))
  return { ...centre, zoom: Math.round((zoom + Math.log2(shorterPx / fittedPx)) * 100) / 100 }
}

const isPlace = (at: string): at is Place => Object.hasOwn(places, at)

const isNear = (one: View, other: View) =>
  Math.abs(one.latitude - other.latitude) < 0.001 &&
  Math.abs(one.longitude - other.longitude) < 0.001 &&
  Math.abs(one.zoom - other.zoom) < 0.01

const spotsOf = (map: DeviceMap | undefined): Spot[] => [
  ...(map?.clusters ?? []).map((cluster) => ({ ...cluster, id: null, tone: 'good' as const })),
  ...(map?.points ?? []).map(({ id, latitude, longitude, ...point }) => ({
    ...{ id, latitude, longitude, count: 1 },
    tone: toneOf(point),
  })),
]

type Statuts = Pick<
  DeviceMap['points'][number],
  'statut_admin_france' | 'statut_admin_commune' | 'absent_depuis'
>

function toneOf({
  statut_admin_france: france,
  statut_admin_commune: commune,
  absent_depuis,
}: Statuts): Spot['tone'] {
  if (absent_depuis !== null || france === 'masque' || commune === 'masque') return 'bad'
  return france === 'a_verifier' || commune === 'a_verifier' ? 'warn' : 'good'
}
