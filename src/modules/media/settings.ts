import { must, type Parse, type Settings, text, trueOrFalse } from '../../platform/config/settings.ts'
import { type Clamd, clamdUrl } from './scanning/clamd.ts'
import { readPlace, type StorePlace } from './store/place.ts'

const gigabyte = 2 ** 30

/** Reads a size such as `500MB` or `20GB`; `none` is no limit. */
const size: Parse<number> = (value) => {
  if (value === 'none') return Number.POSITIVE_INFINITY
  const [, count, unit] = /^([1-9]\d{0,5})(MB|GB)$/.exec(value) ?? []
  if (count === undefined) throw must('a size such as 500MB or 20GB, or none')
  return Number(count) * (unit === 'GB' ? gigabyte : 2 ** 20)
}

export const mediaSettings = {
  name: 'media',
  read: (read) => ({
    /** Limit for the bytes of all pictures and documents in the database. The embedded one lives on the disk of the service. */
    maxTotalBytes: read.or(
      'MEDIA_MAX_TOTAL',
      size,
      read.optional('DATABASE_URL', text) === null ? 2 * gigabyte : Number.POSITIVE_INFINITY,
    ),
    /** False: pictures that publications name elsewhere wait. */
    fetches: read.or('MEDIA_FETCH', trueOrFalse, true),
    allowPrivate: read.or('IMPORT_ALLOW_PRIVATE', trueOrFalse, false),
    /** The antivirus. */
    clamd: read.optional('CLAMAV_URL', clamdUrl),
    /** The object store, and whether bytes are moved there. */
    ...readPlace(read),
  }),
} satisfies Settings<{
  maxTotalBytes: number
  fetches: boolean
  allowPrivate: boolean
  clamd: Clamd | null
  place: StorePlace | null
  isMovedToStore: boolean
}>
