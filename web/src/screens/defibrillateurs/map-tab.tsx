import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Bounds, Spot, View } from '../../map/map.tsx'
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

/** Parts of France that do not fit one map: latitude, longitude, zoom. */
const places = {
  metropole: '46.6,2.4,4.7',
  guadeloupe: '16.2,-61.5,8.5',
  martinique: '14.65,-61,9',
  guyane: '4,-53,6',
  reunion: '-21.1,55.5,8.5',
  mayotte: '-12.8,45.15,9.5',
  miquelon: '46.95,-56.3,8.5',
  caledonie: '-21.4,165.5,6',
  polynesie: '-17.6,-149.5,8',
} as const
type Place = keyof typeof places

type MapTabProps = { search: DefibrillateursSearch; onMove: (at: string) => void }

/** The devices on a map; what it shows stands below it in words, with the same links. */
export function MapTab({ search, onMove }: MapTabProps) {
  const words = useTranslations('defibrillateurs')
  const navigate = useNavigate()
  const view = viewOf(search.at)
  const [bounds, setBounds] = useState<Bounds | null>(null)
  const [hasFailed, setFailed] = useState(!hasWebGl())
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
          value={placeAt(search.at)}
          onChange={(place) => place !== 'elsewhere' && onMove(places[place])}
          options={[
            ...(placeAt(search.at) === 'elsewhere'
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
          onFailure={() => setFailed(true)}
        />
      </Suspense>
      <Soft>{words('mapHelp')}</Soft>
      {found.data && <InView map={found.data} onOpen={open} />}
      <Soft>{words('mapSource')}</Soft>
    </div>
  )
}

/** Whether the browser can draw a map at all. */
function hasWebGl(): boolean {
  try {
    return document.createElement('canvas').getContext('webgl2') !== null
  } catch {
    return false
  }
}

function viewOf(at: string = places.metropole): View {
  const [latitude = Number.NaN, longitude = Number.NaN, zoom = Number.NaN] = at.split(',').map(Number)
  const isPlace = Math.abs(latitude) <= 85 && Math.abs(longitude) <= 180 && zoom >= 1 && zoom <= 19
  return isPlace ? { latitude, longitude, zoom } : viewOf()
}

const placeAt = (at: string = places.metropole): Place | 'elsewhere' =>
  (Object.keys(places) as Place[]).find((place) => places[place] === at) ?? 'elsewhere'

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
