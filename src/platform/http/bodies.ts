import { isUtf8 } from 'node:buffer'
import { invalid, malformedRequest, unsupportedMediaType } from '../errors.ts'
import type { HttpServer } from './http-server.ts'
import { noteBody } from './repeat-keys.ts'

/** Bodies are JSON. An empty one is no body, whatever its content type says. */
export function acceptJsonBodies(server: HttpServer): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    noteBody(request, body as Buffer)
    if (body.length === 0) return done(null)
    // Other bytes would be stored as question marks, without a word.
    if (!isUtf8(body as Buffer)) return done(malformedRequest())
    const value = parse(body.toString())
    if (value === undefined) done(malformedRequest())
    else if (value === null) done(invalid('', notNull))
    else done(null, value)
  })
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(body.length === 0 ? null : unsupportedMediaType())
  })
}

/** Keys such as `__proto__` are keys like any other here, and no schema knows them. */
function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

// Said here, since further on null could not be told from no body.
const notNull = { en: 'must not be null', fr: 'ne doit pas être nul' }
