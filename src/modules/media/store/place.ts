import { must, oneOf, type Parse, type Reader, text } from '../../../platform/config/settings.ts'
import { StartError } from '../../../platform/config/start-error.ts'

/** Where an object store is, and who writes there. */
export type StorePlace = {
  endpoint: string
  bucket: string
  /** Ends with a slash, unless it is empty. */
  prefix: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
}

const rule = 'an address such as s3://bucket/prefix?endpoint=https://s3.example.org'

/** Reads the address of a bucket. The endpoint may be one of the own network. */
const bucketUrl: Parse<Pick<StorePlace, 'bucket' | 'prefix'> & { endpoint: string | null }> = (value) => {
  const url = URL.parse(value)
  if (url?.protocol !== 's3:' || !/^[a-z0-9][a-z0-9.-]{1,62}$/.test(url.host)) throw must(rule)
  const { endpoint = null, ...others } = Object.fromEntries(url.searchParams)
  const prefix = url.pathname.replaceAll(/^\/+|\/+$/g, '')
  if (Object.keys(others).length > 0 || !/^[\w./-]{0,200}$/.test(prefix)) throw must(rule)
  const at = endpoint === null ? null : URL.parse(endpoint)
  if (endpoint !== null && (at === null || !['http:', 'https:'].includes(at.protocol))) throw must(rule)
  return {
    ...{ bucket: url.host, prefix: prefix === '' ? '' : `${prefix}/` },
    endpoint: at === null ? null : `${at.origin}${at.pathname.replace(/\/$/, '')}`,
  }
}

/** Reads `MEDIA_URL` with its credentials, and where the service writes. */
export function readPlace(read: Reader): { place: StorePlace | null; isMovedToStore: boolean } {
  const url = read.optional('MEDIA_URL', bucketUrl)
  const accessKeyId = read.optional('AWS_ACCESS_KEY_ID', text)
  const secretAccessKey = read.optional('AWS_SECRET_ACCESS_KEY', text)
  const sessionToken = read.optional('AWS_SESSION_TOKEN', text)
  const region = read.or('AWS_REGION', text, 'us-east-1')
  const writes = read.or('MEDIA_STORE', oneOf('s3', 'database'), url === null ? 'database' : 's3')
  if (url === null) {
    if (writes === 's3') throw new StartError('MEDIA_STORE=s3 needs MEDIA_URL.')
    return { place: null, isMovedToStore: false }
  }
  if (accessKeyId === null || secretAccessKey === null)
    throw new StartError('MEDIA_URL needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.')
  const endpoint = url.endpoint ?? `https://s3.${region}.amazonaws.com`
  const secrets = { accessKeyId, secretAccessKey, ...(sessionToken !== null && { sessionToken }) }
  return { place: { ...url, endpoint, region, ...secrets }, isMovedToStore: writes === 's3' }
}
